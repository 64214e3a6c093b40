import { trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import type { Api, Caller } from './api.ts';
import { hoursAgo, storeHours } from './traffic-rows.ts';

interface Victim {
  readonly by: Caller;
  readonly agentId: number;
  readonly deviceId: number;
  readonly mark: string;
}

/** A reporting task with a complete estimate. */
const makeTask = (api: Api, { agentId, deviceId, mark }: Victim) =>
  api.db
    .insertInto('dpi_task')
    .values({
      agent_id: agentId,
      device_id: deviceId,
      sn: mark,
      device_name: mark,
      task_no: mark,
      operator: mark,
      operate: 'estimate',
      data_type: 'dpi_usr',
      mode: 'single',
      method: 'immediate',
      start_at: 1,
      end_at: 2,
      status: 7,
      next_at: 1,
      create_at: 1,
      update_at: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();

/** Traffic of all kinds, an export of it, and a reporting task, by path. */
export const makeVictimTraffic = async (api: Api, victim: Victim) => {
  const { by, agentId, deviceId, mark } = victim;
  const hour = { time: hoursAgo(api.clock.now(), 1), agent_id: agentId, device_id: deviceId, up: 1, down: 2 };
  const kinds = ['flow_usr', 'flow_mgt', 'dpi_usr', 'dpi_mgt'] as const;
  await storeHours(
    api.db,
    kinds.map((kind) => ({ ...hour, kind, account: mark, service: mark, protocol_id: mark })),
  );
  const [{ data }, task] = [await by.call(trafficCalls.flow_usr.export, { account: mark }), await makeTask(api, victim)];
  return { rows: { 'traffic/export/{id}': data.id, 'dpi/{id}': task.id } };
};
