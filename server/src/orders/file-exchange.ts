import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { fileKey } from '../config-doc/files.ts';
import type { DepotUploadTable } from '../db/tables.ts';
import type { Config } from '../env/config.ts';
import type { Db } from '../kit/deps.ts';
import { sealToken } from './file-exchange-token.ts';

/**
 * File exchange: gateways download and upload files by HTTP. A URL is valid for one device, one file and a limited time. It needs no other
 * credential, so it is sent only in commands to that device.
 */

type PublicAddress = Pick<Config, 'secretKey' | 'publicUrl' | 'port'>;

/** Address of the console for gateways, without a slash at the end. */
export const consoleAddress = ({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string =>
  publicUrl?.replace(/\/$/, '') ?? `http://127.0.0.1:${port}`;

const addressOf = (config: PublicAddress, token: string) => `${consoleAddress(config)}/depot/${token}`;

interface ReadOrder {
  readonly device_id: number;
  /** Key in the file store. */
  readonly key: string;
  readonly sha256: string;
  readonly until: number;
}

/** Download URL for one file of the store and one device. */
export const readAddress = (config: PublicAddress, { device_id, key, sha256, until }: ReadOrder): string =>
  addressOf(config, sealToken(config, { kind: 'read', device: device_id, key, sha256, until }));

interface FileOrder {
  readonly device_id: number;
  readonly sha256: string;
  readonly secret: boolean;
  readonly until: number;
}

/** Download URL for a file that the configuration of a device refers to. */
export const fileAddress = (config: PublicAddress, { device_id, sha256, secret, until }: FileOrder): string =>
  addressOf(
    config,
    sealToken(config, { kind: secret ? 'secret' : 'read', device: device_id, key: fileKey(sha256, secret), sha256, until }),
  );

interface SectionOrder {
  readonly device_id: number;
  readonly section: string;
  readonly rev: number;
  readonly until: number;
}

/** Download URL for a section that is too long for an MQTT message. */
export const sectionAddress = (config: PublicAddress, { device_id, section, rev, until }: SectionOrder): string =>
  addressOf(config, sealToken(config, { kind: 'section', device: device_id, section, rev, until }));

interface WriteOrder {
  readonly device_id: number;
  /** Id of an earlier upload that continues; by default a new one. */
  readonly id?: string;
  /** Short name of the purpose: `backup`, `docker_log`. */
  readonly purpose: string;
  /** Key in the file store; by default a new unique key. */
  readonly key?: string;
  /** Maximum size in bytes. */
  readonly max: number;
  readonly until: number;
}

/** Upload URL for one file of one device. `id` identifies the upload later. */
export const writeAddress = (
  config: PublicAddress,
  { device_id, id = randomBytes(16).toString('hex'), purpose, key, max, until }: WriteOrder,
): { id: string; url: string } => {
  const token = { kind: 'write', device: device_id, id, purpose, key: key ?? `depot/${purpose}/${id}`, max, until } as const;
  return { id, url: addressOf(config, sealToken(config, token)) };
};

/** Purposes with a traffic limit: each byte is accepted once, so an upload continues and never starts again. */
export const meteredPurposes: ReadonlySet<string> = new Set(['dpi']);

/** A complete upload in the store under `key`, with size and hash computed by the console. */
export type Arrived = Selectable<DepotUploadTable>;

/** A file that has just arrived, with its first bytes. */
export type Arrival = Arrived & { readonly head: Buffer };

/** Handlers by purpose. They run in the transaction that stores the arrival. */
export type Arrivals = Readonly<Record<string, (db: Db, arrival: Arrival, now: number) => Promise<void>>>;

export const uploaded = (db: Db, id: string): Promise<Arrived | undefined> =>
  db.selectFrom('depot_upload').selectAll().where('id', '=', id).executeTakeFirst();

/** Marks the file as owned by the caller, so that the sweep keeps it. Undefined: not uploaded yet, or already claimed. */
export const claimUpload = (db: Db, id: string): Promise<Arrived | undefined> =>
  db.updateTable('depot_upload').set({ claimed: true }).where('id', '=', id).where('claimed', '=', false).returningAll().executeTakeFirst();
