import type { Lang } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import type { Db, Deps } from '../../kit/deps.ts';
import { enqueue, type JobKinds, type JobRun } from '../../kit/jobs/job.ts';
import { post } from '../../kit/messages/outbox.ts';
import { brandOf } from '../brand/brand.ts';
import type { MailContent } from '../mail/send-mails.ts';
import { alertTimes } from './alert-times.ts';
import { compose, type Item } from './compose.ts';
import type { About } from './mail-content.ts';

const batchSize = 20_000;
/** Retention of completed jobs. */
const retentionS = 3600;

interface Open extends Item {
  readonly rule_id: number;
  readonly mailbox: string;
  readonly kind: 'status' | 'ap';
  readonly event: string;
  readonly part: string;
  readonly device_id: number;
  readonly since: number;
  readonly seen_at: number;
  readonly lang: Lang;
  readonly vno: number;
  /** VNO whose mail server is used; else the VNO of the device. */
  readonly mail_vno: number;
}

/** Withdraws unsent alerts of rules that were changed, disabled or narrowed. */
const withdraw = (db: Db) =>
  sql`
    update notify_due n set times = 0 from notify_rule r
    where r.id = n.rule_id and n.times > 0
      and (r.status = 0 or r.device_id <> n.device_id or not n.mailbox = any(r.emails) or not n.event = any(r.events)
        or (r.ap_mac is not null and r.ap_mac is distinct from n.detail ->> 'mac'))`.execute(db);

/**
 * Alerts that are due. An offline alert after a console outage waits until the console has run for a while, so that gateways can
 * reconnect first.
 */
const openAlerts = async (db: Db, now: number): Promise<Open[]> => {
  const { rows } = await sql<Open>`
    select n.rule_id, n.mailbox, r.kind, n.event, n.part, n.device_id, n.times, n.first_at, n.last_at, n.detail, n.since, n.seen_at, r.lang,
      d.name as device_name, d.sn, a.id as vno, a.name as agent_name, coalesce(s.agent_id, d.agent_id) as mail_vno
    from notify_due n join notify_rule r on r.id = n.rule_id join device d on d.id = n.device_id join agent a on a.id = d.agent_id
    left join lateral (
      select m.agent_id from mail_server m join agent above on above.id = m.agent_id
      where m.enable and starts_with(a.path, above.path) order by above.agent_level desc limit 1
    ) s on true
    where n.times > 0 and n.hold_until <= ${now} and (n.detail ->> 'why' is distinct from 'console' or exists (
      select from field_node f where f.beat_at > ${now - 60} and f.since <= ${now - alertTimes.reconnect}))
    order by n.last_at, d.name, n.part limit ${batchSize}
    for update of n skip locked`.execute(db);
  return rows;
};

const isDue = (group: readonly Open[], now: number) =>
  Math.max(...group.map((n) => n.seen_at)) + alertTimes.quiet <= now || Math.min(...group.map((n) => n.since)) + alertTimes.longest <= now;

/** Alerts with the same mailbox, kind, event, language and mail server go into one mail. */
const groupKey = ({ mailbox, kind, event, lang, mail_vno }: Open) => JSON.stringify([mailbox.toLowerCase(), kind, event, lang, mail_vno]);

const contentOf = (group: readonly Open[]): About => ({
  rules: [...new Set(group.map((n) => n.rule_id))],
  aps: group.flatMap(({ kind, event, device_id, part, first_at, last_at }) =>
    kind === 'ap' ? [{ device_id, part, state: event, first_at, last_at }] : [],
  ),
});

/** The brand is that of the devices if they belong to one VNO, else that of the mail server. */
const brandOfGroup = async (db: Db, [first, ...others]: readonly Open[]) => {
  const hasOneVno = first !== undefined && others.every((n) => n.vno === first.vno);
  return hasOneVno ? { id: first.vno, name: first.agent_name } : brandOf(db, first?.mail_vno ?? 0);
};

const postMail = async (db: Db, deps: Pick<Deps, 'config' | 'clock'>, group: readonly Open[]) => {
  const [first] = group;
  if (!first) return;
  const { mailbox, mail_vno } = first;
  const brand = await brandOfGroup(db, group);
  const mail: MailContent = { ...compose({ ...first, items: group, brand: brand.name }), vno: brand.id };
  const body = JSON.stringify(mail);
  await post(db, deps, { channel: 'mail', recipient: mailbox, body, agentId: mail_vno, about: { ...contentOf(group) } });
  const keys = JSON.stringify(group.map(({ rule_id, mailbox: to, event, part }) => ({ rule_id, to, event, part })));
  await sql`
    update notify_due n set times = 0, mailed_at = ${deps.clock.now()}
    from json_to_recordset(${keys}::json) as u(rule_id bigint, "to" text, event text, part text)
    where n.rule_id = u.rule_id and n.mailbox = u."to" and n.event = u.event and n.part = u.part`.execute(db);
};

/** Converts alerts to mails in one transaction, so each is sent once, even after a crash. */
const gather = ({ deps, job, commit }: JobRun) =>
  commit(async (db) => {
    const now = deps.clock.now();
    await withdraw(db);
    const groups = [...Map.groupBy(await openAlerts(db, now), groupKey).values()].filter((group) => isDue(group, now));
    for (const group of groups) await postMail(db, deps, group);
    if (groups.length > 0) await enqueue(db, now, { kind: 'send_mails', key: `send_mails:for:${job.id}` });
    return undefined;
  });

/** Alerts that wait for a mail. */
const hasAlerts = ({ clock }: Pick<Deps, 'clock'>) =>
  sql<boolean>`exists (select from notify_due where times > 0 and hold_until <= ${clock.now()})`;

export const alertMailJobs: JobKinds = { gather_notices: { run: gather, everyS: 30, isDue: hasAlerts, retentionS } };
