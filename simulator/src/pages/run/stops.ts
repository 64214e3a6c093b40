import type { GatewayInternals } from '../../gateway-internals.ts';

/** What runs in each gateway, and whether somebody wants it to end. */
const running = new WeakMap<GatewayInternals, Map<string, boolean>>();

const of = (gateway: GatewayInternals) => {
  const found = running.get(gateway) ?? new Map<string, boolean>();
  running.set(gateway, found);
  return found;
};

export const beginRun = (gateway: GatewayInternals, id: string) => void of(gateway).set(id, false);
export const endRun = (gateway: GatewayInternals, id: string) => void of(gateway).delete(id);

/** False: there is nothing to stop. */
export const stopRun = (gateway: GatewayInternals, id: string): boolean => {
  if (!of(gateway).has(id)) return false;
  of(gateway).set(id, true);
  return true;
};

export const isStopped = (gateway: GatewayInternals, id: string): boolean => of(gateway).get(id) === true;
