import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { fileKey } from '../config-doc/files.ts';
import type { DepotUploadTable } from '../db/tables.ts';
import type { Config } from '../env/config.ts';
import type { Db } from '../kit/deps.ts';
import { sealToken } from './file-exchange-token.ts';

/**
 * The depot is where gateways fetch and leave files by HTTP. An address is good for one device, one file and a time; who holds it
 * needs nothing else, so it goes only into the commands of that device.
 */

type PublicAddress = Pick<Config, 'secretKey' | 'publicUrl' | 'port'>;

const addressOf = (config: PublicAddress, token: string) => {
  const base = config.publicUrl?.replace(/\/$/, '') ?? `http://127.0.0.1:${config.port}`;
  return `${base}/depot/${token}`;
};

interface ReadOrder {
  readonly device_id: number;
  /** In the file store. */
  readonly key: string;
  readonly sha256: string;
  readonly until: number;
}

/** Where one device gets one file of the store. */
export const readAddress = (config: PublicAddress, { device_id, key, sha256, until }: ReadOrder): string =>
  addressOf(config, sealToken(config, { kind: 'read', device: device_id, key, sha256, until }));

interface FileOrder {
  readonly device_id: number;
  readonly sha256: string;
  readonly secret: boolean;
  readonly until: number;
}

/** Where one device gets the content of a file that its configuration names. */
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

/** Where one device gets a document of its configuration that is too long for a message. */
export const sectionAddress = (config: PublicAddress, { device_id, section, rev, until }: SectionOrder): string =>
  addressOf(config, sealToken(config, { kind: 'section', device: device_id, section, rev, until }));

interface WriteOrder {
  readonly device_id: number;
  /** What it is for, a word: `backup`, `docker_log`. */
  readonly purpose: string;
  /** Under which the file will be in the store; by default a place of its own. */
  readonly key?: string;
  /** Bytes. */
  readonly max: number;
  readonly until: number;
}

/** Where one device leaves one file; `id` finds it when it has come. */
export const writeAddress = (config: PublicAddress, { device_id, purpose, key, max, until }: WriteOrder): { id: string; url: string } => {
  const id = randomBytes(16).toString('hex');
  const token = { kind: 'write', device: device_id, id, purpose, key: key ?? `depot/${purpose}/${id}`, max, until } as const;
  return { id, url: addressOf(config, sealToken(config, token)) };
};

/** A file that a gateway left: whole, in the store under `key`, measured and hashed by us. */
export type Arrived = Selectable<DepotUploadTable>;

/** A file that has just arrived, with its first bytes. */
export type Arrival = Arrived & { readonly head: Buffer };

/** Handlers by purpose. They run in the transaction that stores the arrival. */
export type Arrivals = Readonly<Record<string, (db: Db, arrival: Arrival, now: number) => Promise<void>>>;

export const uploaded = (db: Db, id: string): Promise<Arrived | undefined> =>
  db.selectFrom('depot_upload').selectAll().where('id', '=', id).executeTakeFirst();

/** From now on the caller answers for the file, and nobody sweeps it away. Undefined: it has not come, or was claimed before. */
export const claimUpload = (db: Db, id: string): Promise<Arrived | undefined> =>
  db.updateTable('depot_upload').set({ claimed: true }).where('id', '=', id).where('claimed', '=', false).returningAll().executeTakeFirst();
