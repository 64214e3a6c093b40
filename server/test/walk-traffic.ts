import type { Api } from './api.ts';

interface Victim {
  readonly agentId: number;
  readonly deviceId: number;
  readonly mark: string;
}

/** A reporting task of the victim with a complete estimate, and its rows by path. */
export const makeVictimTraffic = async (api: Api, { agentId, deviceId, mark }: Victim) => {
  const task = await api.db
    .insertInto('dpi_task')
    .values({
      ...{ agent_id: agentId, device_id: deviceId, sn: mark, device_name: mark, task_no: mark, operator: mark },
      ...{ operate: 'estimate', data_type: 'dpi_usr', mode: 'single', method: 'immediate', start_at: 1, end_at: 2 },
      ...{ status: 7, next_at: 1, create_at: 1, update_at: 1 },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { rows: { 'dpi/{id}': task.id } };
};
