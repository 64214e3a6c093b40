import { isRecord } from '@farlink/contract/kit/values.ts';

/** What a process writes to `process_node.figures` with each heartbeat. */
export interface ProcessFigures {
  readonly loop_ms: number;
  readonly cpu_percent: number;
  readonly memory_bytes: number;
  readonly pool: { readonly used: number; readonly waiting: number; readonly max: number };
  readonly disk: { readonly free_bytes: number; readonly total_bytes: number } | null;
  readonly certificates: readonly ProcessCertificate[];
  readonly listeners: readonly ProcessListener[];
}

export interface ProcessCertificate {
  readonly use: 'https' | 'mqtt' | 'radsec';
  readonly host: string;
  readonly expire_at: number;
}

export interface ProcessListener {
  readonly transport: 'endpoint' | 'broker';
  readonly is_connected: boolean;
  readonly gateways: number;
  /** Messages in memory. */
  readonly waiting: number;
  readonly accepted_per_s: number;
  readonly refused_per_s: number;
}

type Values = Readonly<Record<string, unknown>>;

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const numberOf = (of: Values, name: string): number | null => {
  const value = of[name];
  return isNumber(value) ? value : null;
};

const itemsOf = (value: unknown): readonly Values[] => (Array.isArray(value) ? value.filter(isRecord) : []);

const oneOf = <const T extends string>(value: unknown, ...known: readonly T[]): T | undefined => known.find((one) => one === value);

const certificateOf = (item: Values): ProcessCertificate[] => {
  const use = oneOf(item.use, 'https', 'mqtt', 'radsec');
  return use && isNumber(item.expire_at) ? [{ use, host: String(item.host ?? ''), expire_at: item.expire_at }] : [];
};

const listenerOf = (item: Values): ProcessListener[] => {
  const transport = oneOf(item.transport, 'endpoint', 'broker');
  if (!transport) return [];
  const count = (name: string) => numberOf(item, name) ?? 0;
  return [
    {
      transport,
      is_connected: item.is_connected === true,
      gateways: count('gateways'),
      waiting: count('waiting'),
      accepted_per_s: count('accepted_per_s'),
      refused_per_s: count('refused_per_s'),
    },
  ];
};

const poolOf = (of: Values): ProcessFigures['pool'] | null => {
  const used = numberOf(of, 'used');
  const waiting = numberOf(of, 'waiting');
  const max = numberOf(of, 'max');
  return used === null || waiting === null || max === null ? null : { used, waiting, max };
};

const diskOf = (of: Values): ProcessFigures['disk'] => {
  const free_bytes = numberOf(of, 'free_bytes');
  const total_bytes = numberOf(of, 'total_bytes');
  return free_bytes === null || total_bytes === null ? null : { free_bytes, total_bytes };
};

/** Another version of the program may have written other figures, so each is read alone. */
export const readFigures = (value: unknown) => {
  const of: Values = isRecord(value) ? value : {};
  return {
    loop_ms: numberOf(of, 'loop_ms'),
    cpu_percent: numberOf(of, 'cpu_percent'),
    memory_bytes: numberOf(of, 'memory_bytes'),
    // Written by the heartbeat itself.
    clock_offset_ms: numberOf(of, 'clock_offset_ms'),
    pool: isRecord(of.pool) ? poolOf(of.pool) : null,
    disk: isRecord(of.disk) ? diskOf(of.disk) : null,
    certificates: itemsOf(of.certificates).flatMap(certificateOf),
    listeners: itemsOf(of.listeners).flatMap(listenerOf),
  };
};
