import { rowsOf } from '@farlink/gateway/kit/document.ts';
import { networkOfType } from '@farlink/gateway/kit/link-type.ts';
import type { Json, JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { type ChangeMode, isLinkName, type LinkLock, type LinkName } from '../radio.ts';
import type { Sections } from '../sections.ts';

/** Effect of a fence policy on the links. */
export interface Orders {
  readonly lock: LinkLock | undefined;
  readonly mode: ChangeMode | undefined;
  readonly barred: readonly LinkName[];
}

const locks: Readonly<Record<string, LinkLock>> = { unlocked: 'unlocked', global: 'global', second: 'second_satellite' };
const modes: Readonly<Record<string, ChangeMode>> = { default: 'default', backup: 'backup', roaming: 'roaming' };

export const lockOf = (state: Json | undefined): LinkLock | undefined => locks[String(state)];
export const modeOf = (mode: Json | undefined): ChangeMode | undefined => modes[String(mode)];

/** End of a configured lock that starts now. A lock without a time lasts until it is released. */
export const lockEnd = ({ expiry, lock_hours: hours, lock_until: until }: JsonObject, now: number): number => {
  if (expiry === 'duration') return now + Number(hours) * 3600;
  return expiry === 'at_time' ? Number(until) : Number.POSITIVE_INFINITY;
};

const linksNamed = (sections: Sections, names: readonly Json[]): LinkName[] =>
  rowsOf(sections.doc('network_wan')).flatMap((row) => {
    const link = networkOfType(row.link_type);
    return isLinkName(link) && names.includes(row.name ?? null) ? [link] : [];
  });

const barredBy = (sections: Sections, policy: JsonObject): LinkName[] => {
  const forbidden = Array.isArray(policy.forbid_links) ? policy.forbid_links : [];
  const off: LinkName[] = [
    ...(policy.leo === 'off' ? (['low_orbit'] as const) : []),
    ...(policy.cellular === 'off' ? (['lte'] as const) : []),
    ...(policy.vsat_tx === 'mute' ? (['6d'] as const) : []),
  ];
  return [
    ...off,
    ...linksNamed(
      sections,
      forbidden.flatMap((one: Json) => (typeof one === 'object' && one !== null && 'link' in one ? [one.link] : [])),
    ),
  ];
};

const none: Orders = { lock: undefined, mode: undefined, barred: [] };

/** Policies by name, highest priority first. */
export const ordersOf = (sections: Sections, names: readonly string[]): Orders => {
  if (names.length === 0) return none;
  const rows = rowsOf(sections.doc('fence_policy'));
  const policies = names.flatMap((name) => rows.filter((row) => row.name === name));
  const first = <T>(of: (policy: JsonObject) => T | undefined) => policies.map(of).find((value) => value !== undefined);
  return {
    lock: first(({ link_lock }) => lockOf(link_lock)),
    mode: first(({ change_mode }) => modeOf(change_mode)),
    barred: policies.flatMap((policy) => barredBy(sections, policy)),
  };
};
