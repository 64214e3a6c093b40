import type { GatewayInternals } from '../../gateway-internals.ts';

/** Running actions of each gateway, and whether a stop is requested. */
const running = new WeakMap<GatewayInternals, Map<string, boolean>>();

const of = (gateway: GatewayInternals) => {
  const found = running.get(gateway) ?? new Map<string, boolean>();
  running.set(gateway, found);
  return found;
};

export const beginRun = (gateway: GatewayInternals, id: string) => void of(gateway).set(id, false);
export const endRun = (gateway: GatewayInternals, id: string) => void of(gateway).delete(id);

/** Returns false if this run does not exist. */
export const stopRun = (gateway: GatewayInternals, id: string): boolean => {
  if (!of(gateway).has(id)) return false;
  of(gateway).set(id, true);
  return true;
};

export const isStopped = (gateway: GatewayInternals, id: string): boolean => of(gateway).get(id) === true;
