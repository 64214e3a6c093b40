import type { UpgradeReason } from '@farlink/contract/firmware/campaign.ts';
import { upgradeState } from '@farlink/contract/firmware/campaign.ts';
import { limits } from '@farlink/contract/limits.ts';
import { network } from '@farlink/contract/protocol/network.ts';
import { linkClasses } from '@farlink/gateway/protocol/link.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { type Selectable, type SqlBool, sql } from 'kysely';
import type { UpgradeCampaignTable } from '../../db/tables.ts';
import type { Config } from '../../env/config.ts';
import type { Db } from '../../kit/deps.ts';
import { sendCommand } from '../../orders/command.ts';
import { readAddress } from '../../orders/file-exchange.ts';
import { admitsDevice } from './visibility.ts';

export type Campaign = Selectable<UpgradeCampaignTable>;
export type PublicAddress = Pick<Config, 'secretKey' | 'publicUrl' | 'port'>;

/** Link classes without large downloads. */
const light = network.map(({ id }) => id).filter((id) => !linkClasses[id].allowsHeavy);

/** A device that can start now. The link is checked again each time the command is sent. */
const isReady = (now: number) => sql<SqlBool>`
  device.online_state = 1 and device.network <> all(${light}::text[]) and device.auth_status in ('formal', 'test')
  and (device.auth_expire_at is null or device.auth_expire_at > ${now}) and device.transfer_status is distinct from 'transferring'`;

const readyDevices = (db: Db, campaign: Campaign, now: number, count: number) =>
  db
    .selectFrom('upgrade_device')
    .innerJoin('device', 'device.id', 'upgrade_device.device_id')
    .leftJoin('firmware', 'firmware.id', 'upgrade_device.firmware_id')
    .select([
      'upgrade_device.id',
      'upgrade_device.op',
      'upgrade_device.version_key',
      'device.id as device_id',
      'device.boot',
      'firmware.file_key',
      'firmware.size',
      'firmware.sha256',
      'firmware.version',
      sql<number | null>`version_key(device.version)`.as('has'),
      sql<boolean | null>`${admitsDevice()} and exists (
        select from firmware_model m where m.firmware_id = firmware.id and m.model = device.model)`.as('admitted'),
    ])
    .where('upgrade_device.campaign_id', '=', campaign.id)
    .where('upgrade_device.state', '=', upgradeState.id('queued'))
    .where(isReady(now))
    .orderBy('upgrade_device.id')
    .limit(count)
    .forUpdate('upgrade_device')
    .execute();

type ReadyDevice = Awaited<ReturnType<typeof readyDevices>>[number];

/** Changes since the request that make the upgrade unnecessary or impossible. */
const skipOutcome = (row: ReadyDevice, kind: Campaign['kind']): { state: 'success' | 'cancelled'; reason: UpgradeReason } | undefined => {
  if (row.has === row.version_key) return { state: 'success', reason: 'already' };
  if (row.has !== null && kind === 'upgrade' && row.has > row.version_key) return { state: 'cancelled', reason: 'newer' };
  if (row.has !== null && kind === 'rollback' && row.has < row.version_key) return { state: 'cancelled', reason: 'older' };
  if (row.op === 'sys.upgrade' && !row.admitted) return { state: 'cancelled', reason: 'withdrawn' };
  return undefined;
};

const argsOf = (address: PublicAddress, row: ReadyDevice, version: string, until: number): JsonObject => {
  const { file_key: key, size, sha256, device_id } = row;
  if (row.op === 'sys.rollback' || key === null || size === null || sha256 === null) return { version };
  return { url: readAddress(address, { device_id, key, sha256, until }), size, sha256, version };
};

/**
 * Sends the command to up to `count` waiting devices that are ready, and returns their number. Fewer means that the others must wait.
 * Command and record are one commit, so no device is started twice.
 */
export const beginDevices = async (
  db: Db,
  address: PublicAddress,
  campaign: Campaign,
  wave: number,
  now: number,
  count: number,
): Promise<number> => {
  let begun = 0;
  while (begun < count) {
    const ready = await readyDevices(db, campaign, now, count - begun);
    if (ready.length === 0) break;
    for (const row of ready) {
      const end = skipOutcome(row, campaign.kind);
      if (end) {
        await db
          .updateTable('upgrade_device')
          .set({ ...end, finish_at: now })
          .where('id', '=', row.id)
          .execute();
        continue;
      }
      const deadline = now + limits.upgradeRunHours * 3600;
      const args = argsOf(address, row, campaign.version, deadline);
      const by =
        campaign.customer_id === null ? undefined : { uid: campaign.customer_id, name: campaign.operator, agent_id: campaign.agent_id };
      const command_id = await sendCommand(db, row.device_id, row.op, args, { now, deadline, by });
      await db
        .updateTable('upgrade_device')
        .set({ state: upgradeState.to('send'), wave, command_id, boot: row.boot, start_at: now })
        .where('id', '=', row.id)
        .execute();
      begun++;
    }
  }
  return begun;
};
