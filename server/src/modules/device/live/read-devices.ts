import { device as resource } from '@farlink/contract/device/device-resource.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { Deps } from '../../../kit/deps.ts';
import { deviceColumns } from '../device-query.ts';
import { readLinkColors, withDeviceTags } from '../device-tags.ts';

/** Device data for the streams: its VNO and the columns of the list. */
export interface DeviceNow {
  readonly id: number;
  readonly agent_id: number;
  readonly path: string;
  readonly columns: Values;
}

const shown: readonly string[] = resource.columns.filter((name) => name !== 'device_key');

/** Reads devices of all VNOs; the caller checks the scope. */
export const readDevices = async ({ db, clock }: Deps, ids: readonly number[]): Promise<Map<number, DeviceNow>> => {
  if (ids.length === 0) return new Map();
  const [rows, colors] = await Promise.all([
    deviceColumns(db, clock.now()).select('agent.path').where('device.id', 'in', ids).execute(),
    readLinkColors(db),
  ]);
  return new Map(
    rows.map(({ path, ...row }) => {
      const whole = Object.entries({ ...withDeviceTags(row, colors), revision: row.revision });
      const columns = Object.fromEntries(whole.filter(([name]) => shown.includes(name) || name === 'revision'));
      return [row.id, { id: row.id, agent_id: row.vno_id, path: path ?? '', columns }];
    }),
  );
};
