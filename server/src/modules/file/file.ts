import { fileCalls as calls } from '@farlink/contract/file/file.ts';
import { sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { FileResponse } from '../../kit/files/file-response.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { enqueue } from '../../kit/jobs/job.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';
import { nameObject, record } from '../../kit/log/record.ts';

const mine = (ctx: Ctx) => inScope(ctx.me, 'file.agent_id');

const inUse = sql<boolean>`exists (select from file_task t where t.file_id = file.id and t.state in ('waiting', 'running'))`;

export const listFiles: Handler<typeof calls.list> = (ctx, input) =>
  pageOf(
    ctx.db,
    calls.list,
    input,
    ctx.db
      .selectFrom('file')
      .leftJoin('agent', 'agent.id', 'file.agent_id')
      .select([
        'file.id',
        'file.id as file_id',
        'file.version',
        'file.batch',
        'file.name',
        'file.type',
        'file.size',
        'file.remark',
        'file.describe',
        'file.task_count',
        operatorName(ctx, 'file.operator').as('operator'),
        'file.agent_id as vno_id',
        'agent.name as agent_name',
        'file.create_at',
        inUse.as('in_use'),
      ])
      .where(mine(ctx)),
  );

export const fileOptions: Handler<typeof calls.option> = async (ctx) => {
  const rows = await ctx.db
    .selectFrom('file')
    .select(['id', 'name', 'batch'])
    .where(mine(ctx))
    .orderBy('id', 'desc')
    .limit(10_000)
    .execute();
  return Object.fromEntries(rows.map((r) => [r.id, `${r.name} (${r.batch})`]));
};

const lockFile = async (ctx: Ctx, id: number) => {
  const row = await ctx.db.selectFrom('file').selectAll().where('id', '=', id).where(mine(ctx)).forUpdate().executeTakeFirst();
  if (!row) throw fail('not_found');
  nameObject(ctx, row.name);
  return row;
};

export const updateFile: Handler<typeof calls.update> = async (ctx, input) => {
  const stored = await lockFile(ctx, input.id);
  if (stored.version !== input.version) throw fail('stale');
  const after = { name: input.name, remark: input.remark ?? null, describe: input.describe ?? null };
  const before = { name: stored.name, remark: stored.remark, describe: stored.describe };
  if (JSON.stringify(before) === JSON.stringify(after)) throw fail('unchanged');
  await ctx.db
    .updateTable('file')
    .set({ ...after, version: stored.version + 1 })
    .where('id', '=', stored.id)
    .execute();
  record(ctx, [`修改文件 ${stored.name}`, `Changed file ${stored.name}`], { before, after });
};

/** The row is locked first: a concurrent task is either found here, or finds no file. */
export const removeFile: Handler<typeof calls.remove> = async (ctx, { id }) => {
  const { name, key, batch } = await lockFile(ctx, id);
  const open = await ctx.db
    .selectFrom('file_task')
    .select('id')
    .where('file_id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst();
  if (open) throw fail('file_in_use');
  await ctx.db.deleteFrom('file').where('id', '=', id).execute();
  await enqueue(ctx.db, ctx.now(), { kind: 'remove_file', payload: { key } });
  record(ctx, [`删除文件 ${name}`, `Deleted file ${name}`], { before: { name, batch } });
};

export const downloadFile: Handler<typeof calls.download> = async (ctx, { id }) => {
  const row = await ctx.db.selectFrom('file').select(['key', 'file_name', 'size']).where('id', '=', id).where(mine(ctx)).executeTakeFirst();
  if (!row) throw fail('not_found');
  const body = await openFileStore(ctx.deps.config).get(row.key);
  return new FileResponse({ body, type: 'application/octet-stream', name: row.file_name, size: row.size });
};
