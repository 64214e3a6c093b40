import { trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import type { Api, Caller } from './api.ts';
import { hoursAgo, storeHours } from './traffic-rows.ts';

interface Victim {
  readonly by: Caller;
  readonly agentId: number;
  readonly deviceId: number;
  readonly mark: string;
}

/** Traffic of all kinds and an export of it. */
export const makeVictimTraffic = async (api: Api, { by, agentId, deviceId, mark }: Victim) => {
  const hour = { time: hoursAgo(api.clock.now(), 1), agent_id: agentId, device_id: deviceId, up: 1, down: 2 };
  const kinds = ['flow_usr', 'flow_mgt', 'dpi_usr', 'dpi_mgt'] as const;
  await storeHours(
    api.db,
    kinds.map((kind) => ({ ...hour, kind, account: mark, service: mark, protocol_id: mark })),
  );
  const { data } = await by.call(trafficCalls.exportBusinessFlow, { account: mark });
  return { rows: { 'traffic/export/{id}': data.id } };
};
