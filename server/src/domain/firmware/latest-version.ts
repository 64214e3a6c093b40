import { type RawBuilder, sql } from 'kysely';
import { admitsDevice } from './visibility.ts';

/**
 * The newest version that fits a device's model and is shown to the device or its VNO, for a list of devices; null where there is none.
 * `device` names the table or alias of the outer query. One step down an index for each row.
 */
export const latestVersion = (device = 'device'): RawBuilder<string | null> => sql<string | null>`(
  select firmware.version from firmware_model join firmware on firmware.id = firmware_model.firmware_id
  where firmware_model.model = ${sql.ref(`${device}.model`)} and ${admitsDevice(device)}
  order by firmware_model.version_key desc limit 1)`;
