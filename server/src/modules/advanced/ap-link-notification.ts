import { apLinkNotificationCalls as calls } from '@farlink/contract/advanced/ap-link-notification.ts';
import { apEvent } from '@farlink/contract/advanced/choices.ts';
import { say, type Text } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { createRule, removeRule, rulesOf, updateRule } from './notify-rule.ts';

const all: Text = ['全部AP', 'All APs'];

const eventsOf = (stored: readonly string[]) => apEvent.flatMap(({ id }) => (stored.includes(id) ? [id] : []));

/** Last report of the device about the access point: `[name, state, stations, mac]`. */
const seen = sql`(select e from jsonb_array_elements(device_status.aps) as e where lower(e ->> 3) = notify_rule.ap_mac limit 1)`;

export const listApRules: Handler<typeof calls.list> = async (ctx, input) => {
  const query = rulesOf(ctx, 'ap')
    .leftJoin('device_status', 'device_status.device_id', 'device.id')
    .select([
      'notify_rule.ap_mac',
      sql<string | null>`case when notify_rule.ap_mac is null then ${say(all, ctx.lang)}::text else ${seen} ->> 0 end`.as('ap_name'),
      // The state of an access point is unknown while its gateway is offline.
      sql<
        'up' | 'offline' | null
      >`case when device.online_state = 1 then case ${seen} ->> 1 when '1' then 'up' when '0' then 'offline' when '2' then 'offline' end end`.as(
        'ap_state',
      ),
    ]);
  const page = await pageOf(ctx.db, calls.list, input, query);
  return { ...page, list: page.list.map((row) => ({ ...row, events: eventsOf(row.events) })) };
};

export const createApRule: Handler<typeof calls.create> = (ctx, input) => createRule(ctx, 'ap', input);
export const updateApRule: Handler<typeof calls.update> = (ctx, input) => updateRule(ctx, 'ap', input);
export const removeApRule: Handler<typeof calls.remove> = (ctx, { id }) => removeRule(ctx, 'ap', id);
