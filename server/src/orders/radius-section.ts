import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Db } from '../kit/deps.ts';
import { open, seal } from '../kit/session/secret.ts';
import { setDesired } from './desired.ts';

/** Section with the access of a gateway to RADIUS. Without a host it uses the host of its MQTT connection. */
export const radiusSection = 'radius';

/** Port of RadSec with PSK, or the UDP ports of a console without RadSec. */
export type RadiusPorts = { readonly port: number } | { readonly auth: number; readonly acct: number };

type RadiusAccess = RadiusPorts & {
  /** UDP port of the gateway for CoA requests. */
  readonly coa?: number;
  readonly host?: string;
  readonly id: string;
  readonly secret: string;
  readonly interval: number;
};

/** The secret is sealed in storage and opened only to be sent. */
export const setRadiusSection = (db: Db, deviceId: number, access: RadiusAccess, secretKey: Buffer, now: number) => {
  const { host, secret, ...rest } = access;
  const shown = { ...rest, ...(host !== undefined && { host }) };
  const stored = { ...shown, secret: seal(secretKey, secret) };
  return setDesired(db, deviceId, radiusSection, stored, { now, hash: hashOf({ ...shown, secret }) });
};

export const openRadiusSection = (doc: JsonObject, secretKey: Buffer): JsonObject =>
  typeof doc.secret === 'string' ? { ...doc, secret: open(secretKey, doc.secret) } : doc;
