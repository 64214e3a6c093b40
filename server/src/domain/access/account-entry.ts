import type { AccountEntry, Phase } from '@farlink/gateway/protocol/account.ts';
import type { Access } from './access.ts';
import type { ServicePhase } from './phases.ts';

/** Traffic of an account at one gateway, as reported and charged. */
export interface GatewayCounters {
  readonly counter_id: number;
  readonly used_bytes: number;
  readonly used_seconds: number;
}

const normalMac = (mac: string) => mac.toLowerCase().replaceAll('-', ':');

const wirePhase = (phase: ServicePhase, bytes: number | null, seconds: number | null): Phase => ({
  h: phase.holding,
  u: phase.up_speed,
  d: phase.down_speed,
  ...(phase.up_guarantee > 0 && { gu: phase.up_guarantee }),
  ...(phase.down_guarantee > 0 && { gd: phase.down_guarantee }),
  ...(bytes !== null && { b: bytes }),
  ...(seconds !== null && { s: seconds }),
  ...(phase.from !== null && { from: phase.from }),
  ...(phase.until !== null && { til: phase.until }),
  ...(phase.duration !== null && { dur: phase.duration }),
  ...(phase.is_extra && { x: true }),
  ...(phase.quota !== null && { r: [...phase.resets], q: phase.quota }),
});

/**
 * Packages with limits on the counters of the gateway. They are used in order, so the limit of a package includes the quotas
 * before it. A package that begins later is added to all current ones. The limits do not change while the gateway reports its own usage.
 */
const wirePhases = (phases: readonly ServicePhase[], { used_bytes, used_seconds }: GatewayCounters): Phase[] => {
  let bytes = used_bytes;
  let seconds = used_seconds;
  const isLater = ({ from }: ServicePhase) => from !== null;
  const limits = new Map<number, Phase>();
  for (const phase of [...phases.filter((one) => !isLater(one)), ...phases.filter(isLater)]) {
    bytes += phase.bytes ?? 0;
    seconds += phase.seconds ?? 0;
    limits.set(phase.holding, wirePhase(phase, phase.bytes === null ? null : bytes, phase.seconds === null ? null : seconds));
  }
  return phases.flatMap(({ holding }) => limits.get(holding) ?? []);
};

/** Maximum packages of an entry. Packages that are used later are left out. */
const maxPhases = 64;

/** Entry of an account for one gateway. */
export const accountEntryOf = (access: Access, verifier: string, counters: GatewayCounters): AccountEntry => {
  const { after } = access;
  return {
    acc: access.account,
    v: verifier,
    c: counters.counter_id,
    al: access.allow_logins,
    ph: wirePhases(access.phases.slice(0, maxPhases), counters),
    z: [after.action, after.limit_up, after.limit_down],
    ex: access.expire_at,
    ...(access.blocked && { st: access.blocked }),
    ...(access.idle_s !== null && { id: access.idle_s }),
    ...(access.bind_mac && { mac: normalMac(access.bind_mac) }),
    ...(access.bind_ip && { ip: access.bind_ip }),
    ...(access.vlan_id !== null && { vl: access.vlan_id }),
    ...(access.application_id !== null && { ap: access.application_id }),
  };
};
