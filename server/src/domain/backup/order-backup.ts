import { limits } from '@farlink/contract/limits.ts';
import type { Config } from '../../env/config.ts';
import type { Db } from '../../kit/deps.ts';
import type { Operator } from '../../kit/session/operator.ts';
import { sendCommand } from '../../orders/command.ts';
import { writeAddress } from '../../orders/file-exchange.ts';

const day = 86_400;

interface Order {
  readonly deviceId: number;
  readonly type: 'manual' | 'auto';
  readonly now: number;
  readonly remark?: string | null;
  readonly by?: Operator;
}

/**
 * Requests the configuration of a gateway, which uploads it by file exchange. A manual request is valid for a week, because the gateway may
 * be offline or on L-band.
 */
export const orderBackup = async (db: Db, config: Config, { deviceId, type, now, remark = null, by }: Order) => {
  const deadline = now + (type === 'manual' ? 7 * day : day);
  const { id, url } = writeAddress(config, { device_id: deviceId, purpose: 'backup', max: limits.backupBytes, until: deadline + day });
  const command_id = await sendCommand(db, deviceId, 'backup.make', { put: url, kind: type }, { now, deadline, ...(by && { by }) });
  await db
    .insertInto('backup_order')
    .values({ id, device_id: deviceId, command_id, backup_type: type, operator: by?.name ?? null, remark, create_at: now })
    .execute();
};
