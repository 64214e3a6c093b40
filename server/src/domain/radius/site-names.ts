import type { SessionInfo } from '../../db/column-types.ts';
import type { Db } from '../../kit/deps.ts';
import { inScope } from '../../kit/list/scope.ts';

interface SiteName {
  readonly name: string;
  readonly sn: string;
}

/**
 * Names of devices, and of NAS without a site device by their negative ids. Only those in the scope of the session now: a new VNO may have
 * renamed a device.
 */
export const siteNames = async (db: Db, me: SessionInfo, ids: readonly number[]): Promise<ReadonlyMap<number, SiteName>> => {
  const known = [...new Set(ids)];
  const nasIds = known.filter((id) => id < 0).map((id) => -id);
  const devices = await db
    .selectFrom('device')
    .select(['id', 'name', 'sn'])
    .where('id', 'in', [...known, 0])
    .where(inScope(me, 'device.agent_id', 'device.id'))
    .execute();
  if (nasIds.length === 0) return new Map(devices.map((device) => [device.id, device]));
  const nas = await db
    .selectFrom('nas')
    .select(['id', 'name', 'identifier as sn'])
    .where('id', 'in', nasIds)
    .where(inScope(me, 'nas.agent_id', 'nas.device_id'))
    .execute();
  return new Map([...devices, ...nas.map((row) => ({ ...row, id: -row.id }))].map((site) => [site.id, site]));
};
