import { isRecord } from '@farlink/contract/kit/values.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { document, type JsonObject, parse } from '@farlink/gateway/protocol/shape.ts';
import type { Selectable } from 'kysely';
import type { DeviceCommandTable } from '../../../db/tables.ts';
import { requirePage } from '../../../domain/config/access.ts';
import { findTarget, type Target } from '../../../domain/config/target.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail } from '../../../kit/fail.ts';
import { operatorName, operatorVno } from '../../../kit/list/operator-name.ts';
import { commandOf } from './run-id.ts';

export interface Run extends Selectable<DeviceCommandTable> {
  readonly device: Target;
  readonly page: GatewayPage;
  /** As the reader may see it. */
  readonly operator_name: string | null;
}

/** Finds a run in the scope of the session, with read or write access to its page. */
export const findRun = async (ctx: Ctx, id: number, how: 'read' | 'write'): Promise<Run> => {
  const row = await ctx.db
    .selectFrom('device_command')
    .selectAll()
    .select(operatorName<string | null>(ctx, 'operator', operatorVno('operator_agent_id', 'uid')).as('operator_name'))
    .where('id', '=', commandOf(id))
    .where('op', '=', 'page.run')
    .executeTakeFirst();
  const key: unknown = isRecord(row?.args) ? row.args.page : undefined;
  if (!row || typeof key !== 'string') throw fail('not_found');
  const device = await findTarget(ctx, row.device_id);
  return { ...row, device, page: requirePage(ctx.me, key, how) };
};

/** Arguments of the run; secrets are removed when it ends. */
export const argsOf = ({ args }: { readonly args: unknown }): JsonObject => {
  const parsed = parse(document, isRecord(args) ? args.args : undefined);
  return 'value' in parsed ? parsed.value : {};
};

export const isOver = ({ state }: Pick<Run, 'state'>) => state >= commandState.id('done');
