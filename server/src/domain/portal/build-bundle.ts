import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { bytesText } from '@farlink/contract/kit/units.ts';
import { bundleBytes, type PortalManifest } from '@farlink/gateway/protocol/portal.ts';
import type { PortalImage } from '@farlink/portal/document.ts';
import { siteFiles } from '@farlink/portal/site.ts';
import { sql } from 'kysely';
import { ZipFile } from 'yazl';
import { lockGroup, locks } from '../../db/lock.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import { bundleKey } from '../../orders/portal-section.ts';
import { savedSite } from './current-site.ts';
import { portalImage } from './portal-image.ts';

export interface PortalBundle {
  readonly sha256: string;
  readonly size: number;
}

const sha256Of = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A ZIP stores local time, so local components give the same bytes in each time zone. */
const fixedTime = new Date(2020, 0, 1);
const fixed = { mtime: fixedTime, mode: 0o100644, forceDosTimestamp: true } as const;

const isPacked = (name: string) => name.startsWith('img/');

/** The same files in any order give the same bytes. */
export const zipBundle = async (head: Omit<PortalManifest, 'files'>, files: ReadonlyMap<string, string | Buffer>): Promise<Buffer> => {
  const sorted = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const manifest: PortalManifest = { ...head, files: Object.fromEntries(sorted.map(([name, content]) => [name, sha256Of(content)])) };
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), 'manifest.json', fixed);
  for (const [name, content] of sorted) zip.addBuffer(Buffer.from(content), name, { ...fixed, compress: !isPacked(name) });
  zip.end();
  return buffer(zip.outputStream);
};

interface Source {
  readonly portal_id: number;
  readonly rev: number;
}

/** Names of the images for the operator, largest first. */
const imageNames = async (db: Db, portal_id: number, sizes: ReadonlyMap<string, number>): Promise<string> => {
  const rows = await db
    .selectFrom('portal_resource')
    .innerJoin('portal', 'portal.agent_id', 'portal_resource.agent_id')
    .select(['portal_resource.sha256', 'portal_resource.name'])
    .where('portal.id', '=', portal_id)
    .where('portal_resource.sha256', 'in', [...sizes.keys(), ''])
    .execute();
  const names = new Map(rows.map(({ sha256, name }) => [sha256, name]));
  return [...sizes]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([sha256, size]) => `${names.get(sha256) ?? sha256.slice(0, 8)} (${bytesText(size)})`)
    .join(', ');
};

/** Bytes of the bundle of a saved revision. Refused if it is too large or an image is missing. */
export const bundleOf = async (deps: Pick<Deps, 'db' | 'config'>, { portal_id, rev }: Source): Promise<Buffer> => {
  const saved = await savedSite(deps.db, portal_id, rev);
  if (!saved) throw fail('not_found');
  const files = new Map<string, string | Buffer>(siteFiles(saved.site));
  const sizes = new Map<string, number>();
  for (const image of saved.images) {
    const found = await portalImage(deps, saved.images, image.sha256);
    if (!found) throw fail('portal_image_missing', { args: [await imageNames(deps.db, portal_id, new Map([[image.sha256, 0]]))] });
    files.set(fileNameOf(image), found.body);
    sizes.set(image.sha256, found.body.length);
  }
  const zip = await zipBundle({ v: 1, portal: portal_id, rev }, files);
  if (zip.length > bundleBytes)
    throw fail('portal_too_large', { args: [bytesText(zip.length), bytesText(bundleBytes), await imageNames(deps.db, portal_id, sizes)] });
  return zip;
};

const fileNameOf = ({ sha256, ext }: PortalImage) => `img/${sha256}.${ext}`;

/** A stored bundle. Its row is locked, so it is not removed before the caller's transaction refers to it. */
const knownBundle = (db: Db, { portal_id, rev }: Source): Promise<PortalBundle | undefined> =>
  db
    .selectFrom('portal_bundle')
    .select(['sha256', 'size'])
    .where('portal_id', '=', portal_id)
    .where('rev', '=', rev)
    .forKeyShare()
    .executeTakeFirst();

/** Lock until the end of the transaction: several may store files at a time, or one may remove them. */
export const lockBundles = (db: Db, mode: 'shared' | 'exclusive') =>
  (mode === 'shared'
    ? sql`select pg_advisory_xact_lock_shared(${lockGroup}, ${locks.portalBundles})`
    : sql`select pg_advisory_xact_lock(${lockGroup}, ${locks.portalBundles})`
  ).execute(db);

/** Builds and stores the bundle of a saved revision once. */
export const buildBundle = async (deps: Pick<Deps, 'db' | 'config'>, source: Source, now: number): Promise<PortalBundle> => {
  const known = await knownBundle(deps.db, source);
  if (known) return known;
  const zip = await bundleOf(deps, source);
  await lockBundles(deps.db, 'shared');
  const bundle = { sha256: sha256Of(zip), size: zip.length };
  await openFileStore(deps.config).put(bundleKey(bundle.sha256), Readable.from([zip]), zip.length);
  await deps.db
    .insertInto('portal_bundle')
    .values({ ...bundle, ...source, create_at: now })
    .onConflict((oc) => oc.doNothing())
    .execute();
  return bundle;
};
