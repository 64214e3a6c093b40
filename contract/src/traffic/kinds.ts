interface Kind {
  readonly isDpi: boolean;
  /** What a row of the list is counted by, besides time, VNO and device. */
  readonly keys: readonly ('account' | 'service' | 'link' | 'network' | 'protocol_id')[];
}

/** Kinds of traffic data: flows and applications, of subscribers and of the gateway itself. The ids are the codes of `data_type`. */
export const trafficKinds = {
  flow_usr: { id: 'flow_usr', isDpi: false, keys: ['account', 'link', 'network'] },
  flow_mgt: { id: 'flow_mgt', isDpi: false, keys: ['service', 'link', 'network'] },
  dpi_usr: { id: 'dpi_usr', isDpi: true, keys: ['protocol_id', 'account'] },
  dpi_mgt: { id: 'dpi_mgt', isDpi: true, keys: ['protocol_id'] },
} as const satisfies Record<string, Kind & { readonly id: string }>;

export type TrafficKindId = keyof typeof trafficKinds;
export type TrafficKind = Kind & { readonly id: TrafficKindId };
