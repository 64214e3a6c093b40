import type { StatusFinding } from '@farlink/contract/advanced/system-status.ts';
import { systemStatusCalls } from '@farlink/contract/advanced/system-status.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import { enqueue } from '../../kit/jobs/job.ts';
import { post } from '../../kit/messages/outbox.ts';
import { raiseAlarm } from '../audit/alarm.ts';
import { escapeHtml } from '../mail/smtp.ts';
import { sessionInfoOf } from '../rights.ts';
import { thresholds } from './thresholds.ts';

interface Line {
  readonly reason: Text;
  readonly todo?: Text;
}

type AlarmDeps = Pick<Deps, 'config' | 'clock'>;

/** Maximum recipients of an alarm. */
const maxRecipients = 50;

/** ALARM_MAIL, or the accounts of the platform that have an address and may open the page. */
const recipientsOf = async (db: Db, { config }: AlarmDeps, platform: number): Promise<readonly string[]> => {
  if (config.alarmMail.length > 0) return config.alarmMail;
  const accounts = await db
    .selectFrom('customer')
    .select(['id', 'email'])
    .where('agent_id', '=', platform)
    .where('status', '=', 1)
    .where('email', 'is not', null)
    .where('email', '<>', '')
    .orderBy('id')
    .limit(maxRecipients)
    .execute();
  const found = new Set<string>();
  for (const { id, email } of accounts)
    if (email !== null && mayCall(systemStatusCalls.read, await sessionInfoOf(db, id, null))) found.add(email);
  return [...found];
};

/** The mail has both languages, because recipients may read either. */
const mailOf = (title: Text, content: Text) => ({
  subject: title.join(' / '),
  text: content.join('\n\n'),
  html: content.map((text) => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`).join(''),
});

/** Several changes of one check are one notice and one mail. */
const announce = async (db: Db, deps: AlarmDeps, [one, many]: readonly [Text, Text], lines: readonly Line[]) => {
  const [first] = lines;
  const platform = await db.selectFrom('agent').select('id').where('agent_level', '=', 0).executeTakeFirst();
  if (!first || !platform) return;
  const title = lines.length === 1 ? fill(one, first.reason) : fill(many, lines.length);
  const inLang = (i: 0 | 1) => lines.map(({ reason, todo }) => [reason[i], ...(todo ? [`→ ${todo[i]}`] : [])].join('\n')).join('\n');
  const content: Text = [inLang(0), inLang(1)];
  const now = deps.clock.now();
  await raiseAlarm(db, title, content, now);
  const body = JSON.stringify(mailOf(title, content));
  const recipients = await recipientsOf(db, deps, platform.id);
  for (const recipient of recipients) await post(db, deps, { channel: 'mail', recipient, body, agentId: platform.id });
  if (recipients.length > 0) await enqueue(db, now, { kind: 'send_mails', key: `send_mails:alarm:${now}` });
};

const raised: readonly [Text, Text] = [
  ['系统告警：{0}', 'System alarm: {0}'],
  ['系统告警：{0} 个严重问题', 'System alarm: {0} critical problems'],
];
const recovered: readonly [Text, Text] = [
  ['系统恢复：{0}', 'System recovered: {0}'],
  ['系统恢复：{0} 个问题已消除', 'System recovered: {0} problems resolved'],
];

const storeAlarm = async (db: Db, { name, reason }: StatusFinding, now: number) => {
  const texts = { reason_zh: reason[0], reason_en: reason[1] };
  await db
    .insertInto('system_alarm')
    .values({ name, ...texts, found_at: now })
    .onConflict((oc) => oc.column('name').doUpdateSet({ ...texts, calm_at: null }))
    .execute();
};

/**
 * Compares critical findings with the alarms that were sent, in the transaction of the caller. An alarm is sent once, when its cause is
 * found for the second time, and its end once, when the cause is resolved for some minutes.
 */
export const updateAlarms = async (db: Db, deps: AlarmDeps, findings: readonly StatusFinding[]) => {
  const now = deps.clock.now();
  const critical = new Map(findings.filter(({ level }) => level === 'critical').map((one) => [one.name, one]));
  const known = await db.selectFrom('system_alarm').selectAll().forUpdate().execute();
  for (const one of critical.values()) await storeAlarm(db, one, now);

  const due = known.filter(
    ({ name, raise_at, found_at }) => critical.has(name) && raise_at === null && now - found_at >= thresholds.raiseS,
  );
  const names = due.map(({ name }) => name);
  if (names.length > 0) await db.updateTable('system_alarm').set({ raise_at: now }).where('name', 'in', names).execute();
  await announce(
    db,
    deps,
    raised,
    names.flatMap((name) => critical.get(name) ?? []),
  );

  const resolved = known.filter(({ name }) => !critical.has(name));
  const removable = resolved.filter(
    ({ raise_at, calm_at }) => raise_at === null || (calm_at !== null && now - calm_at >= thresholds.resolvedS),
  );
  for (const { name } of resolved)
    if (removable.some((one) => one.name === name)) await db.deleteFrom('system_alarm').where('name', '=', name).execute();
    else await db.updateTable('system_alarm').set({ calm_at: now }).where('name', '=', name).where('calm_at', 'is', null).execute();
  const ended = removable.filter(({ raise_at }) => raise_at !== null);
  await announce(
    db,
    deps,
    recovered,
    ended.map(({ reason_zh, reason_en }) => ({ reason: [reason_zh, reason_en] })),
  );
};
