import type { Faults } from './faults.ts';
import type { OwnTraffic } from './own-traffic.ts';
import { type Bytes, noBytes, plus } from './quota.ts';
import type { LinkName } from './radio.ts';
import type { Users } from './users.ts';

/** Bytes, and for a user the seconds online. */
interface Amount extends Bytes {
  readonly s?: number;
}

/** Names of a row, such as account, link and authoriser. */
type TrafficRow = readonly [names: readonly string[], amount: Amount];

/** Traffic of one step: links, users, and the gateway itself. */
export interface Traffic {
  readonly links: readonly TrafficRow[];
  readonly users: readonly TrafficRow[];
  readonly own: readonly TrafficRow[];
}

interface CountingGateway {
  readonly users: Pick<Users, 'takeFlows'>;
  readonly own: OwnTraffic;
  readonly faults: Faults;
  readonly firmware: { readonly keepsAccounts: boolean };
}

/** Bytes of a time request and its reply. */
const ntpBytes = 76;

const addTo = <K>(sums: Map<K, Bytes>, key: K, bytes: Bytes) => sums.set(key, plus(sums.get(key) ?? noBytes, bytes));

/** Bytes of each link: those of the users and those of the gateway itself. */
export class TrafficCount {
  readonly #gateway: CountingGateway;
  /** Bytes of each link since the start. */
  readonly totals = new Map<LinkName, Bytes>();

  constructor(gateway: CountingGateway) {
    this.#gateway = gateway;
  }

  /** Traffic since the last call. Older gateways report neither links of users nor their own traffic. */
  take(current: LinkName | undefined): Traffic {
    const { users, own, faults, firmware } = this.#gateway;
    if (current) own.add('ntp', ntpBytes, ntpBytes);
    own.assign(current);
    const [flows, ownFlows] = [users.takeFlows(), own.take()];
    const links = new Map<LinkName, Bytes>();
    const extra = (bytes: number) => bytes + Math.floor(bytes * faults.unattributed);
    for (const { link, u, d } of flows) addTo(links, link, { u: extra(u), d: extra(d) });
    for (const { link, u, d } of ownFlows) addTo(links, link, { u, d });
    for (const [link, bytes] of links) addTo(this.totals, link, bytes);
    return {
      links: [...links].map(([link, bytes]) => [[link], bytes]),
      users: flows.flatMap(({ acc, link, via, u, d, s }): TrafficRow[] => {
        if (firmware.keepsAccounts) return [[[acc, link, via], { u, d, s }]];
        return u + d > 0 ? [[[acc], { u, d }]] : [];
      }),
      own: firmware.keepsAccounts ? ownFlows.map(({ svc, link, u, d }) => [[svc, link], { u, d }]) : [],
    };
  }
}

/** Sums by names. */
export class Sums {
  readonly #sums = new Map<string, TrafficRow>();

  add(names: readonly string[], amount: Amount) {
    const key = names.join(' ');
    const was: Amount = this.#sums.get(key)?.[1] ?? noBytes;
    this.#sums.set(key, [names, { ...plus(was, amount), ...(amount.s !== undefined && { s: amount.s + (was.s ?? 0) }) }]);
  }

  /** Rows `name, bytes up, bytes down, further names, seconds`, and an empty start. */
  take(): (string | number)[][] {
    const rows = [...this.#sums.values()].map(([[name = '', ...more], { u, d, s }]) => [
      name,
      u,
      d,
      ...more,
      ...(s === undefined ? [] : [s]),
    ]);
    this.#sums.clear();
    return rows;
  }
}
