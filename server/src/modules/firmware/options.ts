import type { upgradeCalls as calls } from '@farlink/contract/firmware/upgrade.ts';
import { fullVersion } from '@farlink/contract/firmware/version.ts';
import { fill, say, type Text } from '@farlink/contract/kit/text.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import { sql } from 'kysely';
import { admitsDevice } from '../../domain/firmware/visibility.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { inScope } from '../../kit/list/scope.ts';

const maxOptions = 100;
const keptText: Text = ['网关上保留，无需下载', 'still on the gateway'];
const fitsSome: Text = ['适用 {0}/{1} 台', 'fits {0} of {1} devices'];
const briefly = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/**
 * Versions that some of the devices can be upgraded to, newest first. Other devices are skipped, so each version shows how many it fits.
 */
export const upgradeOptions: Handler<typeof calls.option> = async (ctx, { ids }) => {
  const deviceCount = new Set(ids).size;
  const { rows } = await sql<{ version: string; size: number; remark: string; fits: number }>`
    select max(firmware.version) as version, max(firmware.size) as size, max(firmware.remark) as remark,
      count(distinct device.id)::int as fits
    from device join firmware_model on firmware_model.model = device.model join firmware on firmware.id = firmware_model.firmware_id
    where device.id = any(${ids}::bigint[]) and ${inScope(ctx.me, 'device.agent_id', 'device.id')} and ${admitsDevice()}
      and firmware_model.version_key > version_key(device.version)
      and ${deviceCount} = (select count(*) from device where device.id = any(${ids}::bigint[]) and ${inScope(ctx.me, 'device.agent_id', 'device.id')})
    group by firmware_model.version_key
    order by firmware_model.version_key desc limit ${maxOptions}`.execute(ctx.db);
  return Object.fromEntries(
    rows.map(({ version, size, remark, fits }) => {
      const share = fits < deviceCount ? ` · ${say(fill(fitsSome, fits, deviceCount), ctx.lang)}` : '';
      return [version, `${version}${share} · ${bytesText(size)} · ${briefly(remark)}`];
    }),
  );
};

/** Versions that all devices can roll back to: the previous version, and older firmware that fits. */
export const rollbackOptions: Handler<typeof calls.rollbackOption> = async (ctx, { ids }) => {
  const { rows } = await sql<{ version: string; size: number | null; remark: string | null }>`
    with meant as (
      select device.id, device.agent_id, device.model, device.version, device.version_past from device
      where device.id = any(${ids}::bigint[]) and ${inScope(ctx.me, 'device.agent_id', 'device.id')}
    ), found as (
      select device.id, version_key(device.version_past) as key, device.version_past as version, null::bigint as size, null as remark
      from meant device where version_key(device.version_past) < version_key(device.version)
      union all
      select device.id, firmware.version_key, firmware.version, firmware.size, firmware.remark
      from meant device join firmware_model on firmware_model.model = device.model join firmware on firmware.id = firmware_model.firmware_id
      where firmware.version_key < version_key(device.version) and ${admitsDevice()}
        and firmware.version_key is distinct from version_key(device.version_past)
    )
    select max(version) as version, max(size) as size, max(remark) as remark from found
    group by key having count(distinct id) = ${new Set(ids).size} order by key desc limit ${maxOptions}`.execute(ctx.db);
  return Object.fromEntries(
    rows.map(({ version, size, remark }) => {
      const name = fullVersion(version);
      return [name, size === null ? `${name} · ${say(keptText, ctx.lang)}` : `${name} · ${bytesText(size)} · ${briefly(remark ?? '')}`];
    }),
  );
};
