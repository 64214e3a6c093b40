import { fill, type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import { zoneMinutes } from '@farlink/contract/kit/zone.ts';
import { dpiStatus } from '@farlink/contract/traffic/dpi-choices.ts';
import { dpiReasons, isDpiReason } from '@farlink/contract/traffic/dpi-reasons.ts';
import { sql } from 'kysely';
import { lightNetworks } from '../../domain/file-task/dispatch-rate.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { localTime } from '../../kit/formats/cell.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { inScope } from '../../kit/list/scope.ts';

const { executing, uploaded, estimated, reported } = dpiStatus.ids;

/** Reason for the current state, as a key of `dpiReasons`; the text of the gateway is a separate column. */
const reason = (now: number) => sql<string | null>`case
  when t.status = ${reported} and t.cut_at is not null then 'cut'
  when t.ended then t.err
  when t.status = ${uploaded} and t.err is not null then t.err
  when t.status = ${uploaded} then 'importing'
  when t.status = ${estimated} then null
  when t.status = ${executing} and d.online_state = 0 then 'lost'
  when t.status = ${executing} and t.last_at is not null then 'last'
  when t.status = ${executing} then null
  when t.command_id is null and t.section_rev is null and t.err is not null then 'retry'
  when t.command_id is null and t.section_rev is null then 'timed'
  when d.auth_status not in ('formal', 'test') or d.auth_expire_at <= ${now} then 'unauthorized'
  when d.online_state = 0 then 'offline'
  when t.operate = 'report' and t.mode = 'single' and d.network = any(${lightNetworks}::text[]) then 'link'
  else 'sent' end`;

/** Selects each column and filter of the list under its name. */
export const taskQuery = (ctx: Ctx) =>
  ctx.db
    .selectFrom('dpi_task as t')
    .leftJoin('device as d', 'd.id', 't.device_id')
    .leftJoin('agent', 'agent.id', 't.agent_id')
    .select(['t.id', 't.task_no', 't.device_id', 't.device_name', 't.sn', 't.data_type', 't.mode', 't.method', 't.report_at'])
    .select(['t.start_at', 't.end_at', 't.limit_speed', 't.limit_flow', 't.estimate_size', 't.size', 't.progress', 't.status'])
    .select([operatorName(ctx, 't.operator').as('operator'), 't.agent_id as vno_id', 'agent.name as agent_name', 't.create_at'])
    .select(['t.err', 't.cut_at', 't.last_at', 't.last_bytes', reason(ctx.now()).as('message')])
    .where(inScope(ctx.me, 't.agent_id', 't.device_id'));

interface RowWithReason {
  readonly message: string | null;
  readonly err: string | null;
  readonly cut_at: number | null;
  readonly last_at: number | null;
  readonly last_bytes: number | null;
}

/** A key and its detail become a sentence; other texts stay. */
const sentence = (code: string): Text => {
  const [head = '', ...rest] = code.split(' ');
  return isDpiReason(head) ? fill(dpiReasons[head], rest.join(' ')) : [code, code];
};

export const messageOf = ({ message, err, cut_at, last_at, last_bytes }: RowWithReason, lang: Lang): string => {
  if (message === null) return '';
  const at = (time: number | null) => localTime(time ?? 0, zoneMinutes);
  if (message === 'cut') return say(fill(dpiReasons.cut, at(cut_at)), lang);
  if (message === 'last') return say(fill(dpiReasons.last, at(last_at), bytesText(last_bytes ?? 0)), lang);
  if (message === 'retry') return say(fill(dpiReasons.retry, sentence(err ?? '')), lang);
  if (message.startsWith('import ')) return say(fill(dpiReasons.import, sentence(message.slice(7))), lang);
  return say(sentence(message), lang);
};
