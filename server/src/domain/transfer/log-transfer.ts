import { CompiledQuery } from 'kysely';
import type { Db } from '../../kit/deps.ts';

type Step = 'start' | 'done' | 'failed' | 'cleared';

/** For the VNO that gets the device, and for the others. */
const texts: Record<Step, readonly [in_zh: string, in_en: string, out_zh: string, out_en: string]> = {
  start: ['开始转入设备 {0}', 'Device {0} is being transferred in', '开始转出设备 {0}', 'Device {0} is being transferred out'],
  done: ['设备 {0} 已转入', 'Device {0} was transferred in', '设备 {0} 已转出', 'Device {0} was transferred out'],
  failed: ['转入设备 {0}', 'Transfer device {0} in', '转出设备 {0}', 'Transfer device {0} out'],
  cleared: ['已取消转入设备 {0}', 'Transfer of device {0} in was cleared', '已取消转出设备 {0}', 'Transfer of device {0} out was cleared'],
};

/**
 * One line for each VNO of a transfer: old owner, new owner and operator. `$7` is a VNO that has a line of its own. The line of the owner
 * is in the log of the device.
 */
export const transferLogSql = `
  insert into syslog (agent_id, username, name, module, action, content_zh, content_en, result, message_zh, message_en, subject, ip, user_agent, create_at)
  select v.agent_id, 'system', '系统 System', 'device', 'command',
    replace(case when v.agent_id = t.to_agent_id then $2 else $4 end, '{0}', n.label),
    replace(case when v.agent_id = t.to_agent_id then $3 else $5 end, '{0}', n.label),
    case when t.state = 'failed' then 'fail' else 'success' end, t.reason_zh, t.reason_en,
    case when v.agent_id = d.agent_id then 'device:' || d.id end, '', '', $6
  from device_transfer t join device d on d.id = t.device_id
    cross join lateral (select case when d.name = d.sn then d.sn else concat(d.name, ' (', d.sn, ')') end as label) n
    cross join lateral (select distinct unnest(array[t.from_agent_id, t.to_agent_id, t.operator_agent_id]) as agent_id) v
  where t.id = any($1::bigint[]) and v.agent_id is distinct from $7::bigint and v.agent_id is not null`;

export const transferLogValues = (step: Step, ids: readonly number[], now: number, except: number | null = null): unknown[] => [
  ids,
  ...texts[step],
  now,
  except,
];

/** Writes the operator-log lines of a step of transfers. */
export const logTransfers = (db: Db, step: Step, ids: readonly number[], now: number, except?: number) =>
  db.executeQuery(CompiledQuery.raw(transferLogSql, transferLogValues(step, ids, now, except)));
