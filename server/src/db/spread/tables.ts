import { auditTables, streamTables } from '../partitions.ts';

/** Traffic of a device per hour and day. Sums of VNOs have no device and stay on the coordinator. */
const deviceTraffic = [
  ...['business_flow_hour', 'manage_flow_hour', 'business_dpi_hour', 'manage_dpi_hour', 'flow_sum_hour'],
  ...['business_flow_day', 'manage_flow_day', 'business_dpi_day', 'manage_dpi_day', 'flow_sum_day', 'dpi_device_day'],
] as const;

/** All other tables are in one colocation group with this one. */
export const firstTable = 'device_stream';

/**
 * Tables that are spread over the workers by device_id. None has a foreign key to another table, a trigger, or a unique key without
 * device_id.
 */
export const spreadTables: readonly string[] = [firstTable, ...streamTables, ...deviceTraffic, ...auditTables];
