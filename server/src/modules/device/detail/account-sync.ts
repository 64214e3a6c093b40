import type { deviceDetailCalls as calls, DeviceAccounts } from '@farlink/contract/device/device-detail.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import { noAccountsOn, noGatewayText } from '../../../domain/access/no-gateway.ts';
import { fail } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { eachOf } from '../../../kit/list/batch.ts';
import { record } from '../../../kit/log/record.ts';
import { notifyChange } from '../../../orders/notify.ts';
import { deviceLabelOf, findDevice, lockDevice, namesOf, subjectOf } from '../find-device.ts';

/** Refused accounts in a reply. */
const shown = 20;

type Counts = Omit<DeviceAccounts, 'none' | 'refusals'>;

/** A change that waits for its entry counts as one account that is not confirmed. */
const countsSql = (id: number) => sql<Counts>`
  select coalesce(y.rev, 0) as rev, coalesce(y.acked, 0) as acked, y.acked_at, g.count, g.refused,
    case when y.is_lost then g.count else greatest(g.pending, w.waiting) end as pending, case when y.is_lost or y.rev > y.acked then y.round_at end as pending_since
  from (select 1) one left join account_sync y on y.device_id = ${id}
    cross join lateral (
      select count(*) filter (where not a.is_gone)::int as count, count(*) filter (where a.rev > y.acked)::int as pending,
        count(*) filter (where a.rev <= y.acked and a.refused is not null)::int as refused
      from gateway_account a where a.device_id = ${id}
    ) g
    cross join lateral (
      select count(distinct c.subscriber_id)::int as waiting from account_change c
      where c.subscriber_id in (select a.subscriber_id from gateway_account a where a.device_id = ${id})
    ) w`;

const refusalsSql = (id: number) => sql<DeviceAccounts['refusals'][number]>`
  select a.subscriber_id as user_id, a.account, a.refused as text from gateway_account a join account_sync y on y.device_id = a.device_id
  where a.device_id = ${id} and a.refused is not null and a.rev <= y.acked order by a.account limit ${shown}`;

export const readAccounts: Handler<typeof calls.accounts> = async (ctx, { id }) => {
  const device = await findDevice(ctx, id);
  const [{ rows: counts }, { rows: refusals }] = await Promise.all([countsSql(id).execute(ctx.db), refusalsSql(id).execute(ctx.db)]);
  const [found] = counts;
  if (!found) throw fail('not_found');
  return { ...found, none: noAccountsOn(device), refusals };
};

const actionText: Text = ['重新下发账号到设备', 'Send all accounts again to device'];

/** The entries are made again with new counters, and the gateway gets them as a whole. */
export const resendAccounts: Handler<typeof calls.resendAccounts> = async (ctx, { ids }) =>
  eachOf(ctx, ids, await namesOf(ctx, ids, actionText), async (row, id) => {
    const device = await lockDevice(row, id);
    const none = noAccountsOn(device);
    if (none) throw fail('accounts_not_stored', { args: [noGatewayText(none)] });
    await sql`insert into account_sync (device_id, is_lost) values (${id}, true) on conflict (device_id) do update set is_lost = true`.execute(
      row.db,
    );
    await sql`insert into account_change (device_id) values (${id})`.execute(row.db);
    await notifyChange(row.db, 'user', [id]);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from gateway_account where device_id = ${id} and not is_gone`.execute(row.db);
    record(row, [`重新下发设备 ${deviceLabelOf(device)} 的全部账号`, `Send all accounts of device ${deviceLabelOf(device)} again`], {
      after: { count: rows[0]?.n ?? 0 },
      subject: subjectOf(id),
    });
  });
