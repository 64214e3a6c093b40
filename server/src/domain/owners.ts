import type { Input } from '@farlink/contract/kit/field.ts';
import type { subjectInput } from '@farlink/contract/kit/lookup.ts';
import type { bindingInput } from '@farlink/contract/package/offer.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Ctx } from '../kit/ctx.ts';
import { failAt } from '../kit/fail.ts';
import { isOfOrAbove } from '../kit/list/ancestry.ts';
import { inScope } from '../kit/list/scope.ts';

export type Subject = Partial<Input<typeof subjectInput>>;
type Placed = Subject & Partial<Input<typeof bindingInput>>;

type Table = 'subscriber' | 'device' | 'device_group' | 'open_config' | 'file';
const deviceOf: Partial<Record<Table, string>> = { subscriber: 'subscriber.device_id', device: 'device.id' };

/** Owner VNOs of these rows, within the scope of the session. */
export const ownersOf = async (ctx: Ctx, table: Table, ids: readonly (number | null | undefined)[]): Promise<readonly number[]> => {
  const named = ids.filter((id) => typeof id === 'number');
  if (named.length === 0) return [];
  const { rows } = await sql<{ agent_id: number }>`
    select distinct agent_id from ${sql.table(table)} where id = any(${named}::bigint[])
    and ${inScope(ctx.me, `${table}.agent_id`, deviceOf[table])}`.execute(ctx.db);
  return rows.map((row) => row.agent_id);
};

/** The VNO that a form names. */
export const requireVno = async (ctx: Ctx, id: number) => {
  const found = ctx.db.selectFrom('agent').select(['id', 'name', 'code']).where('id', '=', id).where(inScope(ctx.me, 'agent.id'));
  const vno = await found.executeTakeFirst();
  if (!vno) throw failAt('vno_id', ['请选择有效的VNO', 'Please select a valid VNO']);
  return vno;
};

const rowsOf = ({ ids, id }: Subject) => (ids?.length ? ids : [id]);

/** Owner VNOs of the rows that a form refers to. A new account belongs to the VNO of its device or group. */
export const subjectOwners = async (ctx: Ctx, form: Placed): Promise<readonly number[]> => {
  const { subject, bind_type, device_id, device_group_id } = form;
  if (subject === 'device') return ownersOf(ctx, 'device', rowsOf(form));
  if (subject === 'config') return ownersOf(ctx, 'open_config', rowsOf(form));
  if (subject === 'file') return ownersOf(ctx, 'file', rowsOf(form));
  if (subject !== 'account') return [];
  const owners = await ownersOf(ctx, 'subscriber', rowsOf(form));
  if (owners.length > 0) return owners;
  if (bind_type === 'vno') return [ctx.me.agent_id];
  // The form keeps the previously chosen device after the operator switches to a group.
  return bind_type === 'group' ? ownersOf(ctx, 'device_group', [device_group_id]) : ownersOf(ctx, 'device', [device_id]);
};

/** The row belongs to the single VNO that owns all of them; without owners, to any VNO. */
export const ofOwners = (column: string, owners: readonly number[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} = all(${owners}::bigint[])`;

/** The row may be used by each of these VNOs. */
export const forOwners = (column: string, owners: readonly number[]): RawBuilder<SqlBool> =>
  sql.join([sql`true`, ...owners.map((owner) => isOfOrAbove(column, owner))], sql` and `);

/** The row belongs to a VNO that equals or is below each of these VNOs. */
export const belowOwners = (column: string, owners: readonly number[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`not exists (select from agent owner where owner.id = any(${owners}::bigint[])
    and not (select below.path from agent below where below.id = ${sql.ref(column)}) like owner.path || '%')`;
