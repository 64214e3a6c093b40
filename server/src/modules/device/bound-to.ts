import { sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import type { DeviceRow } from './find-device.ts';

interface Bound {
  readonly accounts: number;
  /** Of these, accounts with a paid package that has not ended. */
  readonly paid: number;
  readonly packages: number;
  /** Unused cards of this device, including cards that are being made. */
  readonly cards: number;
}

export const boundTo = async (ctx: Ctx, { id, account_count }: Pick<DeviceRow, 'id' | 'account_count'>): Promise<Bound> => {
  const { rows } = await sql<{ paid: number; packages: number; cards: number }>`
    select (select count(*)::int from subscriber where device_id = ${id} and package_status <> 'expired'
        and exists (select from holding where holding.subscriber_id = subscriber.id and holding.price > 0)) as paid,
      (select count(*)::int from package where device_ids @> array[${id}]::bigint[]) as packages,
      (select count(*)::int from recharge_card where device_id = ${id} and status = 'unused')
        + (select coalesce(sum(count - made_count), 0)::int from card_rule where device_id = ${id} and state = 'making') as cards`.execute(
    ctx.db,
  );
  return { accounts: account_count, ...(rows[0] ?? { paid: 0, packages: 0, cards: 0 }) };
};
