import { dockerCalls } from '@farlink/contract/log/docker-log.ts';
import type { Api, Caller } from './api.ts';

interface Victim {
  readonly by: Caller;
  readonly agentId: number;
  readonly deviceId: number;
  readonly mark: string;
}

/** Rows of the victim in every gateway log, and an export of one of them. */
export const makeVictimLogs = async (api: Api, { by, agentId, deviceId, mark }: Victim) => {
  const of = { agent_id: agentId, device_id: deviceId, sn: `${mark}-1`, create_at: 1 };
  await api.db
    .insertInto('wan_link_log')
    .values({ ...of, link: mark, network: 'lte', link_state: 'on' })
    .execute();
  await api.db
    .insertInto('wan_change')
    .values([
      { ...of, source: 'wan', network: 'lte', reason: mark },
      { ...of, source: 'send', network: 'lte', operator: mark },
    ])
    .execute();
  await api.db
    .insertInto('fence_change')
    .values({ ...of, fence_name: mark, fence_state: 'in', network: 'lte' })
    .execute();
  await api.db
    .insertInto('ap_link_log')
    .values({ ...of, ap_name: mark, ap_state: 'up' })
    .execute();
  await api.db
    .insertInto('docker_log')
    .values({ ...of, container: mark, docker_status: 1, result: 'success' })
    .execute();
  await api.db
    .insertInto('role_assign_log')
    .values({ ...of, username: mark, result: 'success', operator: mark })
    .execute();
  const { data } = await by.call(dockerCalls.export, { container: mark, format: 'csv' });
  return { rows: { 'docker_info/export/{id}': data.id } };
};
