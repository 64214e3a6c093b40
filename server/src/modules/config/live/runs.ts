import { runCalls as calls, type RunView } from '@farlink/contract/config/run.ts';
import { say, type Text } from '@farlink/contract/kit/text.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { sql } from 'kysely';
import { mayChangePage, requirePage } from '../../../domain/config/access.ts';
import { findTarget } from '../../../domain/config/target.ts';
import { bytesOf, waitOf } from '../../../domain/device/wait-reason.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail } from '../../../kit/fail.ts';
import { FileResponse } from '../../../kit/files/file-response.ts';
import { openFileStore } from '../../../kit/files/open-file-store.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { operatorName, operatorVno } from '../../../kit/list/operator-name.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { uploaded } from '../../../orders/file-exchange.ts';
import { argsOf, findRun, isOver, type Run } from './find-run.ts';
import { openArgs } from './run.ts';

/** Output that has not arrived this long after the end is lost. */
const lateS = 30;

/** Lines without gaps, so the next request misses nothing. After the end, all available lines. */
const linesFrom = async (ctx: Ctx, run: Run, after: number): Promise<{ lines: string[]; next: number }> => {
  const rows = await ctx.db
    .selectFrom('command_output')
    .select(['n', 'text'])
    .where('command_id', '=', run.id)
    .where('n', '>=', after)
    .orderBy('n')
    .execute();
  const returnsAll = isOver(run) && ctx.now() - (run.finish_at ?? 0) > lateS;
  const lines: string[] = [];
  let next = after;
  for (const { n, text } of rows) {
    if (n > next && !returnsAll) break;
    const some = text.split('\n');
    lines.push(...some);
    next = n + some.length;
  }
  return { lines, next };
};

const uploadOf = async (ctx: Ctx, run: Run) => {
  const id: unknown = isRecord(run.args) ? run.args.upload : undefined;
  const found = typeof id === 'string' ? await uploaded(ctx.db, id) : undefined;
  const result = isRecord(run.out) ? run.out.result : undefined;
  const file = isRecord(result) && isRecord(result.file) ? result.file : undefined;
  return found && file ? { name: String(file.name), size: found.size, key: found.key } : undefined;
};

export const readRun: Handler<typeof calls.read> = async (ctx, { id, after }): Promise<RunView> => {
  const run = await findRun(ctx, id, 'read');
  const { lines, next } = await linesFrom(ctx, run, Math.max(0, after ?? 0));
  const file = await uploadOf(ctx, run);
  const state = commandState.options.find((one) => one.id === run.state)?.id ?? commandState.ids.queued;
  const isWaiting = run.state === commandState.id('queued');
  return {
    id,
    device_id: run.device_id,
    page: run.page.key,
    state,
    waits: isWaiting ? waitOf(run.device, bytesOf(run.args) + 64, ctx.now(), run.op, isRecord(run.args) ? run.args : {}) : null,
    progress: run.progress,
    lines,
    next,
    result: isRecord(run.out) && isRecord(run.out.result) ? run.out.result : null,
    err: run.err,
    file: file ? { name: file.name, size: file.size } : null,
    args: openArgs(run.page, argsOf(run)),
    operator: run.operator_name,
    create_at: run.create_at,
    start_at: run.ack_at,
    finish_at: run.finish_at,
    now: ctx.now(),
    stoppable: !isOver(run) && mayChangePage(ctx.me, run.page.key),
  };
};

/** The first arguments as text, to distinguish runs in the list. */
const subjectText = (page: GatewayPage | undefined, args: JsonObject, ctx: Ctx): string =>
  Object.entries(args)
    .filter(([name, value]) => name !== 'confirm' && value !== false && page?.fields[name] && !page.fields[name]?.secret)
    .slice(0, 4)
    .map(([name, value]) => {
      const field = page?.fields[name];
      const label: string | Text = field?.options?.find((o) => o.id === value)?.label ?? String(isRecord(value) ? value.name : value);
      return `${say(field?.label ?? [name, name], ctx.lang)} ${typeof label === 'string' ? label : say(label, ctx.lang)}`;
    })
    .join(ctx.lang === 'en' ? ', ' : '，');

export const listRuns: Handler<typeof calls.runs> = async (ctx, input) => {
  const device = await findTarget(ctx, input.device_id);
  const page = requirePage(ctx.me, input.section, 'read');
  const query = ctx.db
    .selectFrom('device_command as c')
    .select([
      sql<number>`('x' || c.id)::bit(48)::bigint`.as('id'),
      'c.create_at',
      sql<0 | 1 | 2 | 3 | 4 | 5 | 6>`c.state`.as('state'),
      'c.progress',
      'c.args',
      'c.err',
      operatorName(ctx, 'c.operator', operatorVno('c.operator_agent_id', 'c.uid')).as('operator'),
      sql<number | null>`c.finish_at - coalesce(c.ack_at, c.create_at)`.as('took'),
    ])
    .where('c.device_id', '=', device.id)
    .where('c.op', '=', 'page.run')
    .where(sql<boolean>`c.args ->> 'page' = ${page.key}`);
  const found = await pageOf(ctx.db, calls.runs, input, query);
  return {
    ...found,
    list: found.list.map(({ args, ...row }) => ({ ...row, subject: subjectText(gatewayPages.get(page.key), argsOf({ args }), ctx) })),
  };
};

export const downloadFile: Handler<typeof calls.file> = async (ctx, { id }) => {
  const run = await findRun(ctx, id, 'read');
  const file = await uploadOf(ctx, run);
  if (!file) throw fail('not_found');
  const body = await openFileStore(ctx.deps.config).get(file.key);
  return new FileResponse({ body, type: 'application/octet-stream', name: file.name, size: file.size });
};
