import { remoteCalls, remoteEndText, remoteService } from '@farlink/contract/device/remote.ts';
import { callName } from '@farlink/contract/kit/endpoint.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { endRow } from '../domain/remote/end-session.ts';
import type { Deps } from '../kit/deps.ts';
import { writeLog } from '../kit/log/record.ts';
import type { Ended, RemoteSession } from './session.ts';

const labelOf = (service: string): Text => remoteService.find(({ id }) => id === service)?.label ?? [service, service];

/** Stores the end of a session with its operator-log line, unless it is stored already. The session has the newest counters. */
export const storeEnd = async ({ db: pool, clock }: Deps, id: number, { reason, message }: Ended, session?: RemoteSession) => {
  const now = () => clock.now();
  await pool.transaction().execute(async (db) => {
    const row = await endRow(db, id, { now: now(), reason, message });
    if (!row) return;
    const [zh, en] = labelOf(row.service);
    const why = remoteEndText(reason);
    const operator = {
      agent_id: row.operator_agent_id,
      uid: row.customer_id,
      username: row.operator,
      name: row.operator_name,
      acted_by: row.acted_by,
    };
    const client = { ip: row.ip, userAgent: row.user_agent, now };
    await writeLog(db, operator, client, {
      module: 'device',
      action: 'command',
      call: callName(remoteCalls.sessions),
      content: [
        `设备 ${row.device_name}（${row.sn}）的远程${zh}会话结束：${why[0]}`,
        `Remote ${en} session to device ${row.device_name} (${row.sn}) ended: ${why[1]}`,
      ],
      after: {
        service: row.service,
        end_reason: reason,
        message: message ?? undefined,
        duration: now() - row.create_at,
        up_bytes: session?.up ?? row.up_bytes,
        down_bytes: session?.down ?? row.down_bytes,
      },
      subject: row.device_id === null ? undefined : `device:${row.device_id}`,
    });
  });
};
