import type { ApEvent, NotifyEvent } from '@farlink/contract/advanced/choices.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { alertTimes } from '../../domain/alert-mail/alert-times.ts';
import type { NewEvent } from './commit-items.ts';
import type { Tx } from './tx.ts';

/** An event that a notification rule may match. */
export type NotifiableEvent = {
  readonly device: number;
  readonly at: number;
  readonly detail: JsonObject;
  /** Object within the device: the access point, or the expiry of its authorization. */
  readonly part?: string;
  /** Earliest time to send; by default as soon as the mail is due. */
  readonly hold_until?: number;
} & ({ readonly kind: 'status'; readonly event: NotifyEvent } | { readonly kind: 'ap'; readonly event: ApEvent });

/** One row for each matching rule and mailbox; none for a device without rules. */
const alertSql = `
  insert into notify_due as n (rule_id, mailbox, event, part, device_id, times, first_at, last_at, detail, since, seen_at, hold_until)
  select r.id, m.mailbox, u.event, u.part, u.device, u.times, u.first_at, u.last_at, u.detail, $2, $2, u.hold_until
  from json_to_recordset($1::json) as u(device bigint, kind text, event text, part text, times integer, first_at bigint, last_at bigint, detail jsonb, hold_until bigint)
  join notify_rule r on r.device_id = u.device and r.kind = u.kind and r.status = 1 and u.event = any(r.events)
    and (r.ap_mac is null or r.ap_mac = u.detail ->> 'mac')
  cross join unnest(r.emails) as m(mailbox)
  order by r.id, m.mailbox, u.event, u.part`;

/** Unsent events are merged into one alert. After a recent mail the alert waits for the minimum interval. */
const foldSql = `${alertSql}
  on conflict (rule_id, mailbox, event, part) do update set times = n.times + excluded.times, detail = excluded.detail, seen_at = excluded.seen_at,
    first_at = case when n.times = 0 then excluded.first_at else least(n.first_at, excluded.first_at) end,
    last_at = case when n.times = 0 then excluded.last_at else greatest(n.last_at, excluded.last_at) end,
    since = case when n.times = 0 then excluded.since else n.since end,
    hold_until = case when n.times = 0 then greatest(excluded.hold_until, coalesce(n.mailed_at, 0) + ${alertTimes.repeat}) else n.hold_until end`;

const onceSql = `${alertSql} on conflict (rule_id, mailbox, event, part) do nothing`;

const fold = (events: readonly NotifiableEvent[], now: number) =>
  [...Map.groupBy(events, (d) => `${d.device} ${d.kind} ${d.event} ${d.part ?? ''}`).values()].flatMap((same) => {
    const last = same.at(-1);
    const times = same.map(({ at }) => at);
    const { device, kind, event, part = '', detail, hold_until = now } = last ?? {};
    return last
      ? [{ device, kind, event, part, detail, hold_until, times: same.length, first_at: Math.min(...times), last_at: Math.max(...times) }]
      : [];
  });

/** Part of the transaction that stores the event, so an alert exists exactly when its event does. */
export const storeAlerts = async (tx: Tx, events: readonly NotifiableEvent[]) => {
  if (events.length > 0) await tx.query('notice', foldSql, [JSON.stringify(fold(events, tx.now)), tx.now]);
};

/** Withdraws offline alerts of gateways that reconnected: only the console was offline. */
export const withdrawOfflineAlerts = async (tx: Tx, devices: readonly number[]) => {
  if (devices.length > 0)
    await tx.query(
      'notice_back',
      `update notify_due set times = times - 1 where device_id = any($1::bigint[]) and event = 'offline' and times > 0 and detail ->> 'why' = 'console'`,
      [devices],
    );
};

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

export const storeLinkAlerts = (tx: Tx, events: readonly NewEvent[]) =>
  storeAlerts(
    tx,
    events.map(({ device, at, doc: { from, to } }) => ({
      device,
      at,
      kind: 'status',
      event: 'link',
      detail: { from: textOf(from) ?? '', to: textOf(to) ?? '' },
    })),
  );

const apUp = 1;

export const storeApAlerts = (tx: Tx, events: readonly NewEvent[]) =>
  storeAlerts(
    tx,
    events.map(({ device, at, doc: { ap, s, mac } }) => {
      const name = textOf(ap) ?? '';
      const address = textOf(mac)?.toLowerCase();
      return {
        device,
        at,
        kind: 'ap',
        event: s === apUp ? 'up' : 'offline',
        part: address ?? name,
        detail: { ap: name, ...(address !== undefined && { mac: address }) },
      };
    }),
  );

/** An authorization is notified twice: days before it expires, and at expiry. A new expiry date is notified again. */
export const storeAuthorizationAlerts = async (
  tx: Tx,
  expired: readonly { readonly id: number; readonly auth_expire_at: number | null }[],
) => {
  const soon = await tx.query<{ id: number; auth_expire_at: number }>(
    'notice_expiring',
    `select d.id, d.auth_expire_at from device d
     where d.auth_status in ('formal', 'test') and d.auth_expire_at > $1 and d.auth_expire_at <= $2
       and exists (select from notify_rule r where r.device_id = d.id and r.kind = 'status' and r.status = 1 and 'auth' = any(r.events))`,
    [tx.now, tx.now + alertTimes.expiring],
  );
  const expiryEvent = (stage: 'soon' | 'expired', id: number, until: number): NotifiableEvent => ({
    device: id,
    at: until,
    kind: 'status',
    event: 'auth',
    part: `${until}:${stage}`,
    detail: { stage },
  });
  const events = [
    ...soon.map(({ id, auth_expire_at }) => expiryEvent('soon', id, auth_expire_at)),
    ...expired.map(({ id, auth_expire_at }) => expiryEvent('expired', id, auth_expire_at ?? tx.now)),
  ];
  if (events.length > 0) await tx.query('notice_once', onceSql, [JSON.stringify(fold(events, tx.now)), tx.now]);
  await tx.query('notice_forget', 'delete from notify_due where times = 0 and greatest(last_at, mailed_at, seen_at) < $1', [
    tx.now - alertTimes.retention,
  ]);
};
