import type { firmwareCalls as calls } from '@farlink/contract/firmware/firmware.ts';
import { sql } from 'kysely';
import { seenBy } from '../../domain/firmware/visibility.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { FileResponse } from '../../kit/files/file-response.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import type { Handler } from '../../kit/http/serve.ts';

interface DownloadRequest {
  readonly id: number;
  readonly version: string;
  readonly file_name: string;
}

/** The log row is written before the first byte, so each download is logged even after a crash. */
const begin = async (ctx: Ctx, { id, version, file_name }: DownloadRequest): Promise<number> => {
  const { me } = ctx;
  const model = sql<string>`(select coalesce(string_agg(model, ', ' order by model), '') from firmware_model where firmware_id = ${id})`;
  const row = await ctx.deps.db
    .insertInto('firmware_log')
    .values({
      firmware_id: id,
      agent_id: me.agent_id,
      customer_id: me.uid,
      version,
      model,
      file_name,
      operator: me.name,
      ip: ctx.ip,
      create_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
};

const completeDownload = (ctx: Ctx, logId: number, firmwareId: number, result: 'success' | 'fail') =>
  ctx.deps.db.transaction().execute(async (db) => {
    await db.updateTable('firmware_log').set({ result }).where('id', '=', logId).where('result', 'is', null).execute();
    if (result === 'success')
      await db.updateTable('firmware').set({ download_count: sql`download_count + 1` }).where('id', '=', firmwareId).execute();
  });

export const downloadFirmware: Handler<typeof calls.download> = async (ctx, { id }) => {
  const row = await ctx.db
    .selectFrom('firmware')
    .select(['id', 'version', 'file_name', 'file_key', 'size'])
    .where('id', '=', id)
    .where(seenBy(ctx.me))
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  const logId = await begin(ctx, row);
  const end = (result: 'success' | 'fail') =>
    completeDownload(ctx, logId, row.id, result).catch((err) => ctx.deps.log.warn({ err, logId }, 'firmware download log failed'));
  try {
    const body = await openFileStore(ctx.deps.config).get(row.file_key);
    // The whole file was sent, or the client disconnected.
    ctx.reply.raw.once('close', () => void end(ctx.reply.raw.writableFinished && !body.errored ? 'success' : 'fail'));
    return new FileResponse({ body, type: 'application/octet-stream', name: row.file_name, size: row.size });
  } catch (error) {
    await end('fail');
    throw error;
  }
};
