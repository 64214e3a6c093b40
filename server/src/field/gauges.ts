import type { GaugeSource } from '../kit/http/metrics.ts';
import type { FieldListener } from './field.ts';

const sum = (parts: readonly Readonly<Record<string, number>>[]) => {
  const total: Record<string, number> = {};
  for (const part of parts) for (const [name, n] of Object.entries(part)) total[name] = (total[name] ?? 0) + n;
  return total;
};

export const gaugesOf = (...listeners: readonly FieldListener[]): GaugeSource[] => [
  {
    name: 'gateway_connections',
    help: 'Connections of gateways, and those of them that wait for their turn to connect',
    label: 'state',
    read: () => sum(listeners.map((listener) => ({ open: listener.connections(), waiting: listener.waiting?.() ?? 0 }))),
  },
  {
    name: 'gateway_messages',
    help: 'Messages of gateways, taken or refused and why',
    label: 'result',
    read: () => sum(listeners.map(({ field }) => ({ accepted: field.counts.accepted, ...field.counts.refused }))),
  },
  {
    name: 'gateway_faults',
    help: 'Connections that were closed for a fault of the protocol',
    label: 'fault',
    read: () => sum(listeners.map((listener) => listener.faults)),
  },
];
