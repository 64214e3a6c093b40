import { randomInt } from 'node:crypto';
import type { vnoCalls as calls } from '@farlink/contract/vno/vno.ts';
import { hashPassword } from '../../domain/password.ts';
import { assignableRole } from '../../domain/staff/assignable-role.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { isOfOrAbove } from '../../kit/list/ancestry.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { parentFor } from './move-vno.ts';

/** People type the code, so it has no look-alike characters. */
const newMerchantCode = () => Array.from({ length: 8 }, () => '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'[randomInt(32)]).join('');

/** A prefix in scope that belongs to the VNO or to a VNO above it. */
export const prefixInLine = async (ctx: Ctx, prefixId: number | null | undefined, vnoId: number): Promise<number | null> => {
  if (!prefixId) return null;
  const found = await ctx.db
    .selectFrom('prefix')
    .select('id')
    .where('id', '=', prefixId)
    .where(inScope(ctx.me, 'prefix.agent_id'))
    .where(isOfOrAbove('prefix.agent_id', vnoId))
    .executeTakeFirst();
  if (!found) throw failAt('account_prefix', ['请选择有效的账号前缀', 'Please select a valid account prefix']);
  return found.id;
};

export const createVno: Handler<typeof calls.create> = async (ctx, input) => {
  const parent = await parentFor(ctx, input.parent_id);
  const role = await assignableRole(ctx, input.role_id, { kind: 'agent', parentId: parent.id });
  const now = ctx.now();
  const shown = {
    parent_id: parent.id,
    agent_level: parent.agent_level + 1,
    name: input.name,
    code: input.code ?? newMerchantCode(),
    third_id: input.third_id ?? null,
    contacts: input.contacts,
    phone: input.phone,
    email: input.email ?? null,
    introduction: input.introduction ?? null,
    role_id: role.id,
    prefix_id: await prefixInLine(ctx, input.account_prefix, parent.id),
    agent_mode: input.agent_mode,
    agent_child_enable: input.agent_child_enable ?? false,
    enrol_auto: input.enrol_auto ?? false,
  };
  const { id } = await ctx.db
    .insertInto('agent')
    .values({ ...shown, path: '', create_at: now, update_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.db
    .updateTable('agent')
    .set({ path: `${parent.path}${id}/` })
    .where('id', '=', id)
    .execute();
  await ctx.db
    .insertInto('customer')
    .values({
      agent_id: id,
      kind: 'vno',
      is_owner: true,
      username: input.username,
      name: input.contacts,
      phone: input.phone,
      email: input.email ?? null,
      password_hash: await hashPassword(input.password),
      phone_at: now,
      create_at: now,
      update_at: now,
    })
    .execute();
  record(ctx, [`新增VNO ${input.name}`, `Created VNO ${input.name}`], { after: { ...shown, username: input.username } });
  return { id };
};
