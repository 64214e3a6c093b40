import type { Text } from '@farlink/contract/kit/text.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { failAt } from '../../kit/fail.ts';
import { inScope } from '../../kit/list/scope.ts';

interface ScopeInput {
  readonly scope?: 'unlimited' | 'vno' | 'device' | null;
  readonly vno_limit?: 'all' | 'specified' | null;
  readonly vno_ids?: readonly number[] | null;
  readonly device_limit?: 'all' | 'specified' | null;
  readonly device_ids?: readonly number[] | null;
}

const missing = {
  vno_ids: ['请选择指定VNO', 'Please select VNOs'],
  device_ids: ['请选择指定设备', 'Please select devices'],
} as const satisfies Record<string, Text>;

const idsAt = (field: keyof typeof missing, ids: readonly number[] | null | undefined): number[] => {
  if (!ids || ids.length === 0) throw failAt(field, missing[field]);
  return [...new Set(ids)];
};

/** If a change has only the scope, a limited role stays limited, so it is not widened by accident. */
export const scopeOver = (row: ScopeInput, input: ScopeInput): ScopeInput => {
  const limit = row.vno_ids || row.device_ids ? ('specified' as const) : ('all' as const);
  return {
    scope: input.scope ?? row.scope,
    vno_limit: input.vno_limit ?? (input.vno_ids ? 'specified' : limit),
    vno_ids: input.vno_ids ?? row.vno_ids,
    device_limit: input.device_limit ?? (input.device_ids ? 'specified' : limit),
    device_ids: input.device_ids ?? row.device_ids,
  };
};

export const scopeFields = ['scope', 'vno_limit', 'vno_ids', 'device_limit', 'device_ids'] as const;

/** spec §6: the VNO list and the device list exclude each other; each may contain only ids in scope. */
export const scopeColumns = async (ctx: Ctx, input: ScopeInput) => {
  const vno_ids = input.scope === 'vno' && input.vno_limit === 'specified' ? idsAt('vno_ids', input.vno_ids) : null;
  const device_ids = input.scope === 'device' && input.device_limit === 'specified' ? idsAt('device_ids', input.device_ids) : null;
  if (vno_ids) {
    const seen = await ctx.db.selectFrom('agent').select('id').where('id', 'in', vno_ids).where(inScope(ctx.me, 'agent.id')).execute();
    if (seen.length !== vno_ids.length) throw failAt('vno_ids', ['请选择有效的VNO', 'Please select valid VNOs']);
  }
  if (device_ids) {
    const seen = await ctx.db
      .selectFrom('device')
      .select('id')
      .where('id', 'in', device_ids)
      .where(inScope(ctx.me, 'device.agent_id', 'device.id'))
      .execute();
    if (seen.length !== device_ids.length) throw failAt('device_ids', ['请选择有效的设备', 'Please select valid devices']);
  }
  return { scope: input.scope ?? 'unlimited', vno_ids, device_ids };
};
