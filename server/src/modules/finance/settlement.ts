import { settlementCalls as calls, type SettlementState, settlement } from '@farlink/contract/finance/settlement.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import { zonedTime } from '@farlink/contract/kit/zone.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';
import type { ExportBuilders, JobOwner } from '../../kit/export/export-job.ts';
import { requestFilled } from '../../kit/export/export-task.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { inScope, ownScope } from '../../kit/list/scope.ts';
import { nameObject, record } from '../../kit/log/record.ts';
import { listWithSums } from './list-with-sums.ts';

const periodOf = (now: number) => zonedTime(now).slice(0, 7);

/** Both VNOs of a pair see it. */
const visible = (me: SessionInfo): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${inScope(me, 'settlement.agent_id')} or ${ownScope(me, 'settlement.collector_id')})`;

const settlements = (db: Db, reader: JobOwner, now: number) =>
  db
    .selectFrom('settlement')
    .innerJoin('agent as collector', 'collector.id', 'settlement.collector_id')
    .innerJoin('agent', 'agent.id', 'settlement.agent_id')
    .select([
      'settlement.id',
      'settlement.period',
      'collector.name as collector_name',
      'agent.name as agent_name',
      'settlement.payments',
      'settlement.paid',
      'settlement.refunds',
      'settlement.refunded',
      'settlement.net',
      sql<SettlementState>`case when settlement.settled_at is not null then 'settled'
        when settlement.period >= ${periodOf(now)} then 'running' else 'open' end`.as('state'),
      'settlement.settled_at',
      operatorName<string | null>(reader, 'settlement.settled_by', 'settlement.settled_agent_id').as('settled_by'),
      'settlement.note',
      'settlement.agent_id as vno_id',
    ])
    .where(visible(reader.me));

export const listSettlements: Handler<typeof calls.list> = (ctx, input) =>
  listWithSums(ctx, calls.list, input, settlements(ctx.db, ctx, ctx.now()));

const lock = async (ctx: Ctx, id: number) => {
  const row = await settlements(ctx.db, ctx, ctx.now()).where('settlement.id', '=', id).forUpdate('settlement').executeTakeFirst();
  if (!row) throw fail('not_found');
  nameObject(ctx, `${row.period} ${row.collector_name} → ${row.agent_name}`);
  return row;
};

export const settle: Handler<typeof calls.settle> = async (ctx, { id, note }) => {
  const { state, period, collector_name, agent_name, net } = await lock(ctx, id);
  if (state === 'running') throw fail('settlement_running');
  if (state === 'settled') throw fail('wrong_state');
  await ctx.db
    .updateTable('settlement')
    .set({ settled_at: ctx.now(), settled_by: ctx.me.name, settled_agent_id: ctx.me.agent_id, note })
    .where('id', '=', id)
    .execute();
  record(
    ctx,
    [`结算 ${collector_name} 代 ${agent_name} 收款 ${period}`, `Settled what ${collector_name} collected for ${agent_name} in ${period}`],
    { after: { net, note } },
  );
};

export const reopen: Handler<typeof calls.reopen> = async (ctx, { id }) => {
  const { state, period, collector_name, agent_name, net, note } = await lock(ctx, id);
  if (state !== 'settled') throw fail('wrong_state');
  const open = { settled_at: null, settled_by: null, settled_agent_id: null, note: null };
  await ctx.db.updateTable('settlement').set(open).where('id', '=', id).execute();
  record(
    ctx,
    [
      `撤销结算 ${collector_name} 代 ${agent_name} 收款 ${period}`,
      `Withdrew the settlement of what ${collector_name} collected for ${agent_name} in ${period}`,
    ],
    { before: { net, note } },
  );
};

export const exportSettlements: Handler<typeof calls.export> = (ctx, input) =>
  requestFilled(ctx, {
    call: calls.export,
    title: ['代收结算', 'settlements'],
    format: input.format,
    input,
    query: settlements(ctx.db, ctx, ctx.now()),
  });

export const settlementExports: ExportBuilders = {
  [operateKey(calls.export)]: (deps, reader) => ({ query: settlements(deps.db, reader, deps.clock.now()), resource: settlement }),
};
