import type { GaugeSource } from '../kit/http/metrics.ts';
import type { FieldListener } from './field.ts';

const sum = (counts: readonly Readonly<Record<string, number>>[]) => {
  const total: Record<string, number> = {};
  for (const one of counts) for (const [name, n] of Object.entries(one)) total[name] = (total[name] ?? 0) + n;
  return total;
};

export const gaugesOf = (...listeners: readonly FieldListener[]): GaugeSource[] => [
  {
    name: 'gateway_connections',
    help: 'Gateway connections by state: open, or waiting to connect',
    label: 'state',
    read: () => sum(listeners.map((listener) => ({ open: listener.connections(), waiting: listener.waiting?.() ?? 0 }))),
  },
  {
    name: 'gateway_messages',
    help: 'Gateway messages by result: accepted, or the reason of the refusal',
    label: 'result',
    read: () => sum(listeners.map(({ field }) => ({ accepted: field.counts.accepted, ...field.counts.refused }))),
  },
  {
    name: 'gateway_faults',
    help: 'Gateway connections that were closed because of a protocol fault',
    label: 'fault',
    read: () => sum(listeners.map((listener) => listener.faults)),
  },
];
