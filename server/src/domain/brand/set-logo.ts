import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { PublicCtx } from '../../kit/ctx.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import { type CleanImage, cleanImage } from '../../kit/formats/clean-image.ts';
import { cancelJob, enqueue } from '../../kit/jobs/job.ts';

/** Twice the recommended size, for screens with a high density. */
const size = { width: 380, height: 120 };

/** Open pages show a replaced logo for a while, and gateways may still download it. */
const graceS = 3600;

export type LogoUse = 'agent' | 'device';

type BrandCtx = Pick<PublicCtx, 'db' | 'deps' | 'now'>;

/** Undefined: the bytes are not a whole JPEG or PNG. */
export const cleanLogo = (bytes: Uint8Array) => cleanImage(bytes, size);

/** The removal is scheduled before the file is stored and cancelled in the transaction, so a failure leaves no unreferenced file. */
const storeLogoFile = async (ctx: BrandCtx, { bytes, mime }: CleanImage): Promise<string> => {
  const key = `logo/${randomBytes(16).toString('hex')}.${mime === 'image/png' ? 'png' : 'jpg'}`;
  const now = ctx.now();
  const removal = await enqueue(ctx.deps.db, now, { kind: 'remove_file', payload: { key }, runAt: now + graceS });
  await openFileStore(ctx.deps.config).put(key, Readable.from([bytes]), bytes.length);
  await cancelJob(ctx.db, now, removal);
  return key;
};

const columnsOf = (use: LogoUse, key: string | null, image: CleanImage | null) =>
  use === 'agent'
    ? { logo: key }
    : {
        device_logo: key,
        device_logo_sha256: image && createHash('sha256').update(image.bytes).digest('hex'),
        device_logo_size: image?.bytes.length ?? null,
      };

/** Schedules the removal of logos that no row refers to any more. */
export const dropLogos = async (ctx: BrandCtx, keys: readonly (string | null)[]) => {
  for (const key of keys) {
    if (key !== null) await enqueue(ctx.db, ctx.now(), { kind: 'remove_file', payload: { key }, runAt: ctx.now() + graceS });
  }
};

/** Sends the brand to the gateways whose brand has changed. */
export const requestBrandSync = (ctx: Pick<BrandCtx, 'db' | 'now'>) => enqueue(ctx.db, ctx.now(), { kind: 'sync_brands' });

/** Stores or removes (null) a logo of a VNO, in the caller's transaction. Returns the keys before and after. */
export const setLogo = async (ctx: BrandCtx, agentId: number, use: LogoUse, image: CleanImage | null) => {
  const key = image && (await storeLogoFile(ctx, image));
  const row = await ctx.db
    .selectFrom('agent')
    .select(['logo', 'device_logo'])
    .where('id', '=', agentId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const before = use === 'agent' ? row.logo : row.device_logo;
  await ctx.db
    .updateTable('agent')
    .set(columnsOf(use, key, image))
    .where('id', '=', agentId)
    .execute();
  await dropLogos(ctx, [before]);
  if (use === 'device') await requestBrandSync(ctx);
  return { before, after: key };
};
