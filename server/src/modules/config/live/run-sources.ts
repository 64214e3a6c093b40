import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { sql } from 'kysely';
import { filesOf } from '../../../config-doc/files.ts';
import type { Target } from '../../../domain/config/target.ts';
import { admitsDevice } from '../../../domain/firmware/visibility.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import { failAt } from '../../../kit/fail.ts';
import { fileAddress, readAddress, writeAddress } from '../../../orders/file-exchange.ts';

const noFirmware: Text = ['平台没有适用于该设备的此版本固件', 'The platform has no firmware of this version for the device'];
const noBackup: Text = ['该设备没有此编号的备份', 'The device has no backup with this number'];

/** Firmware that the display rule and the model allow, as for a campaign. */
const firmwareOf = async (ctx: Ctx, device: Target, version: string) =>
  ctx.db
    .selectFrom('firmware')
    .innerJoin('device', (join) => join.on('device.id', '=', device.id))
    .select(['firmware.file_key', 'firmware.size', 'firmware.sha256', 'firmware.version'])
    .where(sql<boolean>`firmware.version_key = version_key(${version})`)
    .where(admitsDevice())
    .where(sql<boolean>`exists (select from firmware_model m where m.firmware_id = firmware.id and m.model = device.model)`)
    .executeTakeFirst();

const backupOf = (ctx: Ctx, device: Target, id: string) =>
  ctx.db
    .selectFrom('device_backup')
    .select(['key', 'size', 'sha256'])
    .where('device_id', '=', device.id)
    .where('agent_id', '=', device.agent_id)
    .where('id', '=', /^\d{1,15}$/.test(id) ? Number(id) : 0)
    .executeTakeFirst();

/** Resolves a file on the platform to the download URL for the gateway. */
const sourceOf = async (ctx: Ctx, device: Target, page: GatewayPage, args: JsonObject, until: number): Promise<JsonObject> => {
  const { config } = ctx.deps;
  if (page.key === 'advanced_upgrade' && args.source === 'platform') {
    const found = await firmwareOf(ctx, device, String(args.version));
    if (!found) throw failAt('version', noFirmware);
    const { file_key: key, size, sha256, version } = found;
    return { source: { url: readAddress(config, { device_id: device.id, key, sha256, until }), size, sha256, version } };
  }
  if (page.key === 'advanced_backup' && args.restore_from === 'platform') {
    const found = await backupOf(ctx, device, String(args.backup_id));
    if (!found) throw failAt('backup_id', noBackup);
    const { key, size, sha256 } = found;
    return { source: { url: readAddress(config, { device_id: device.id, key, sha256, until }), size, sha256 } };
  }
  return {};
};

const isBackup = (page: GatewayPage, args: JsonObject) =>
  page.key === 'advanced_backup' && args.operation === 'backup' && args.to_platform === true;
const uploadsFile = (page: GatewayPage, args: JsonObject) =>
  args.upload === true && (page.key === 'diagnosis_tcpdump' || page.key === 'diagnosis_log_collect');

export interface Sources {
  /** Added to the command next to the arguments. */
  readonly more: JsonObject;
  /** Storage key of the file that the gateway uploads. */
  readonly upload?: string;
  readonly isBackup: boolean;
}

/** Files to download and upload, each with a URL that is valid for this device and a limited time. */
export const sourcesOf = async (ctx: Ctx, device: Target, page: GatewayPage, args: JsonObject, until: number): Promise<Sources> => {
  const { config } = ctx.deps;
  const f = Object.fromEntries(
    filesOf(page, args).map(({ file, secret }) => [
      file.sha256,
      fileAddress(config, { device_id: device.id, sha256: file.sha256, secret, until }),
    ]),
  );
  const backup = isBackup(page, args);
  const path =
    backup || uploadsFile(page, args)
      ? writeAddress(config, {
          device_id: device.id,
          purpose: backup ? 'backup' : 'run',
          max: backup ? limits.backupBytes : limits.runFileBytes,
          until,
        })
      : undefined;
  return {
    more: {
      ...(Object.keys(f).length > 0 && { f }),
      ...(path && { put: path.url, upload: path.id }),
      ...(await sourceOf(ctx, device, page, args, until)),
    },
    isBackup: backup,
    ...(path && { upload: path.id }),
  };
};
