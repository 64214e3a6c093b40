import { type PortalSection, portalHash, portalSectionName } from '@farlink/gateway/protocol/portal.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Config } from '../env/config.ts';
import type { Db } from '../kit/deps.ts';
import { open, seal } from '../kit/session/secret.ts';
import { setDesired } from './desired.ts';
import { readAddress } from './file-exchange.ts';

/** Key of a bundle in the file store. */
export const bundleKey = (sha256: string): string => `portal/bundle/${sha256}.zip`;

type PublicAddress = Pick<Config, 'secretKey' | 'publicUrl' | 'port'>;

/** The signing key is sealed in storage and opened only to be sent. */
export const setPortalSection = (
  db: Db,
  deviceId: number,
  section: Omit<PortalSection, 'url'>,
  { secretKey }: PublicAddress,
  now: number,
) => setDesired(db, deviceId, portalSectionName, { ...section, key: seal(secretKey, section.key) }, { now, hash: portalHash(section) });

/** Restores an earlier section. Null: no portal. */
export const restorePortalSection = (db: Db, deviceId: number, stored: JsonObject | null, { secretKey }: PublicAddress, now: number) => {
  const doc = stored ?? {};
  const opened = typeof doc.key === 'string' ? { ...doc, key: open(secretKey, doc.key) } : doc;
  return setDesired(db, deviceId, portalSectionName, doc, { now, hash: portalHash(opened) });
};

/** No portal: the gateway shows its own pages. */
export const clearPortalSection = (db: Db, deviceId: number, now: number) => setDesired(db, deviceId, portalSectionName, {}, { now });

/** Validity of the download URL. A section that is sent again gets a new one. */
const urlS = 86_400;

/** Document as it is sent: with the open key, and a URL that is valid from now. */
export const openPortalSection = (doc: JsonObject, deviceId: number, config: PublicAddress, now: number): JsonObject => {
  if (typeof doc.key !== 'string' || typeof doc.h !== 'string') return doc;
  const order = { device_id: deviceId, key: bundleKey(doc.h), sha256: doc.h, until: now + urlS };
  return { ...doc, key: open(config.secretKey, doc.key), url: readAddress(config, order) };
};
