import type { DataType } from '@farlink/contract/traffic/choices.ts';

/** Tables of a kind of traffic data have the suffixes `_hour` and `_day`. */
export interface TrafficKind {
  readonly id: DataType;
  readonly table: string;
  /** What a row of the list is counted by, besides time, VNO and device. */
  readonly keys: readonly ('account' | 'service' | 'link' | 'network' | 'protocol_id')[];
  readonly isDpi: boolean;
}

export const kinds = {
  flow_usr: { id: 'flow_usr', table: 'business_flow', keys: ['account', 'link', 'network'], isDpi: false },
  flow_mgt: { id: 'flow_mgt', table: 'manage_flow', keys: ['service', 'link', 'network'], isDpi: false },
  dpi_usr: { id: 'dpi_usr', table: 'business_dpi', keys: ['protocol_id', 'account'], isDpi: true },
  dpi_mgt: { id: 'dpi_mgt', table: 'manage_dpi', keys: ['protocol_id'], isDpi: true },
} as const satisfies Record<DataType, TrafficKind>;
