import { type RawBuilder, sql } from 'kysely';
import { admitsDevice } from './visibility.ts';

/**
 * Newest version that fits a device's model and is visible to the device or its VNO; null if there is none. `device` is the table or alias
 * of the outer query. One index lookup per row.
 */
export const latestVersion = (device = 'device'): RawBuilder<string | null> => sql<string | null>`(
  select firmware.version from firmware_model join firmware on firmware.id = firmware_model.firmware_id
  where firmware_model.model = ${sql.ref(`${device}.model`)} and ${admitsDevice(device)}
  order by firmware_model.version_key desc limit 1)`;
