import { dayNumber } from '@farlink/contract/kit/zone.ts';
import type { Api } from './api.ts';
import { subscriberRow } from './subscriber.ts';

interface Victim {
  readonly agentId: number;
  readonly deviceId: number;
  readonly userId: number;
  readonly mark: string;
}

/** Data of the victim's device page: events, commands, online users, gateway accounts. */
export const makeVictimDetail = async ({ db }: Api, { agentId, deviceId, userId, mark }: Victim) => {
  const owner = { agent_id: agentId, device_id: deviceId };
  await db
    .insertInto('device_event')
    .values({
      ...owner,
      sn: mark,
      id: 'zeta1-1',
      kind: 'fence',
      at: 1,
      reported_at: 1,
      create_at: 1,
      doc: JSON.stringify({ fence: mark, in: true }),
    })
    .execute();
  await db
    .insertInto('device_command')
    .values({ id: '00000000beef', device_id: deviceId, op: 'sys.reboot', args: '{}', err: mark, state: 4, deadline: 1, create_at: 1 })
    .execute();
  const transfer = { sn: mark, from_agent_id: agentId, to_agent_id: agentId, keep_users: true, command_id: '-', deadline: 1 };
  await db
    .insertInto('device_transfer')
    .values({ ...transfer, device_id: deviceId, operator: mark, create_at: 1 })
    .execute();
  await db
    .insertInto('subscriber')
    .values(subscriberRow({ agent_id: agentId, account: 'zeta_card', account_type: 'temp_card', producer: mark, name: mark }))
    .execute();
  const at = Math.floor(Date.now() / 1000);
  await db
    .insertInto('traffic_day')
    .values({ ...owner, day: dayNumber(at), link_bytes: 7, update_at: 1 })
    .execute();
  await db.insertInto('account_sync').values({ device_id: deviceId, rev: 1, acked: 1 }).execute();
  await db
    .insertInto('gateway_account')
    .values({ device_id: deviceId, subscriber_id: userId, account: mark, rev: 1, hash: 0, doc: '{}', counter_id: 1, refused: mark })
    .execute();
  await db
    .insertInto('service_event')
    .values({ subscriber_id: userId, agent_id: agentId, kind: 'stop', reason: mark, at: 1, create_at: 1 })
    .execute();
  await db.insertInto('device_account').values({ device_id: deviceId, username: mark, update_at: 1 }).execute();
  const session = await db
    .insertInto('online_session')
    .values({ ...owner, subscriber_id: userId, session_id: `${mark}-1`, login_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = Object.fromEntries(
    ['', '/now', '/track', '/account_sync', '/traffic_check', '/history', '/commands', '/log'].map((part) => [
      `device/{id}${part}`,
      deviceId,
    ]),
  );
  return { rows, sessionId: session.id };
};
