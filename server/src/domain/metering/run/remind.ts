import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import type { Db, Deps } from '../../../kit/deps.ts';
import { isPhone, sendText } from '../../../kit/messages/sms.ts';
import { nameForSubscriber } from '../../package/name-for-subscriber.ts';

const usageText: Text = ['您的账号 {0} 的套餐“{1}”已使用 {2}%。', 'Account {0}: {2}% of the package "{1}" is used.'];
/** The text of the credit control, and what it is about: a phone can have several accounts. */
const ownUsageText: Text = ['{3}（账号 {0}，套餐“{1}”已使用 {2}%）', '{3} (account {0}, {2}% of the package "{1}" is used)'];
const expiryText: Text = [
  '您的账号 {0} 将于 {1} 到期，请联系服务商续期。',
  'Account {0} expires on {1}. Please contact your provider to renew it.',
];

interface Due {
  readonly account: string;
  readonly phone: string;
  readonly name: string;
  readonly ratio: number;
  /** Text of the credit control. */
  readonly content: string | null;
  readonly sender: string;
}

/** Reminds subscribers by SMS that a package is used up to the share of its credit control. */
export const remindOfUsage = async (db: Db, deps: Pick<Deps, 'config'>, due: readonly { readonly holding: number }[], now: number) => {
  const { rows } = await sql<Due>`
    select s.account, s.phone, p.name, l.ratio, nullif(trim(l.content), '') as content, a.name as sender from holding h
      join subscriber s on s.id = h.subscriber_id join agent a on a.id = s.agent_id join package p on p.id = h.package_id
      left join open_config c on c.id = s.config_id
      join policy l on l.id = coalesce(c.policy_id, case when s.custom_policy then s.policy_id end, p.policy_id)
    where h.id = any(${due.map(({ holding }) => holding)}::bigint[])`.execute(db);
  for (const { account, phone, name, ratio, content, sender } of rows) {
    if (!isPhone(phone)) continue;
    const text = fill(content === null ? usageText : ownUsageText, account, nameForSubscriber(name, sender), ratio, content ?? '');
    await sendText(db, deps.config, { phone, text, sender }, now);
  }
};

const dayText = (at: number) => new Date((at + 8 * 3600) * 1000).toISOString().slice(0, 10);

/** Accounts whose expiry is near and was not announced. */
export const expiriesAtOnce = 500;

/** Days before the expiry by VNO: those of the nearest VNO above that sets them. */
const remind = sql`with remind as materialized (select a.id, coalesce((
    select (v.value #>> '{}')::bigint from setting v join agent o on o.id = v.agent_id
    where v.name = 'remind_days' and a.path like o.path || '%' order by o.agent_level desc limit 1), 7) as days
  from agent a)`;

/** Only accounts within the longest of these periods are read. */
const unreminded = (now: number) => sql`
  subscriber s join remind r on r.id = s.agent_id
  where s.status = 'normal' and s.expire_at > ${now} and s.expire_at <= ${now} + 86400 * (select max(days) from remind)
    and s.reminded_expiry is distinct from s.expire_at and s.expire_at <= ${now} + 86400 * r.days`;

/** By the index, as the reminder itself. */
export const hasUnremindedExpiry = (now: number) =>
  sql<boolean>`(${remind} select true from ${unreminded(now)} order by s.expire_at limit 1) is true`;

/** Reminds subscribers once of each expiry, `remind_days` before it. */
export const remindOfExpiry = async (db: Db, deps: Pick<Deps, 'config'>, now: number): Promise<number> => {
  const { rows } = await sql<{ id: number; account: string; phone: string; expire_at: number; sender: string }>`
    ${remind}
    update subscriber s set reminded_expiry = s.expire_at where s.id in (
      select s.id from ${unreminded(now)} order by s.expire_at limit ${expiriesAtOnce} for no key update of s skip locked)
    returning s.id, s.account, s.phone, s.expire_at, (select a.name from agent a where a.id = s.agent_id) as sender`.execute(db);
  for (const { account, phone, expire_at, sender } of rows)
    if (isPhone(phone)) await sendText(db, deps.config, { phone, text: fill(expiryText, account, dayText(expire_at)), sender }, now);
  return rows.length;
};
