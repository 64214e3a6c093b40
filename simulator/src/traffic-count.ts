import type { Random } from '@farlink/contract/kit/random.ts';
import { appsOf, ownAppOf } from './app-flows.ts';
import type { Faults } from './faults.ts';
import type { GatewayTraffic } from './gateway-traffic.ts';
import { type Bytes, noBytes, plus } from './quota.ts';
import type { LinkName } from './radio.ts';
import { forkOf } from './random.ts';
import type { Users } from './users.ts';

/** Bytes; for a user the seconds online, for an application its sessions. */
interface Amount extends Bytes {
  readonly s?: number;
  readonly n?: number;
  /** Highest rate in KB/s. */
  readonly pk?: number;
}

/** Names of a row, such as account, link and authoriser. */
type TrafficRow = readonly [names: readonly string[], amount: Amount];

/** Traffic of one step: links, users, the gateway itself, and the applications of both. */
export interface Traffic {
  readonly links: readonly TrafficRow[];
  readonly users: readonly TrafficRow[];
  readonly own: readonly TrafficRow[];
  readonly apps: readonly TrafficRow[];
  readonly ownApps: readonly TrafficRow[];
}

interface CountingGateway {
  readonly sn: string;
  readonly users: Pick<Users, 'takeFlows'>;
  readonly own: GatewayTraffic;
  readonly faults: Faults;
  readonly firmware: { readonly storesAccounts: boolean };
}

/** Bytes of a time request and its reply. */
const ntpBytes = 76;

const addTo = <K>(sums: Map<K, Bytes>, key: K, bytes: Bytes) => sums.set(key, plus(sums.get(key) ?? noBytes, bytes));

/** Bytes of each link: those of the users and those of the gateway itself. */
export class TrafficCount {
  readonly #gateway: CountingGateway;
  readonly #random: Random;
  /** Bytes of each link since the start. */
  readonly totals = new Map<LinkName, Bytes>();

  constructor(gateway: CountingGateway) {
    this.#gateway = gateway;
    this.#random = forkOf(gateway.sn, 'apps', 1);
  }

  /** Traffic since the last call. Older gateways report neither links of users, nor their own traffic, nor applications. */
  take(current: LinkName | undefined): Traffic {
    const { users, own, faults, firmware } = this.#gateway;
    if (current) own.add('ntp', ntpBytes, ntpBytes);
    own.assign(current);
    const flows = users.takeFlows();
    const ownFlows = own.take();
    const links = new Map<LinkName, Bytes>();
    const extra = (bytes: number) => bytes + Math.floor(bytes * faults.unattributed);
    for (const { link, u, d } of flows) addTo(links, link, { u: extra(u), d: extra(d) });
    for (const { link, u, d } of ownFlows) addTo(links, link, { u, d });
    for (const [link, bytes] of links) addTo(this.totals, link, bytes);
    const carried: Traffic['links'] = [...links].map(([link, bytes]) => [[link], bytes]);
    if (!firmware.storesAccounts) {
      const users = flows.flatMap(({ acc, u, d }): TrafficRow[] => (u + d > 0 ? [[[acc], { u, d }]] : []));
      return { links: carried, users, own: [], apps: [], ownApps: [] };
    }
    return {
      links: carried,
      users: flows.map(({ acc, link, via, u, d, s }) => [[acc, link, via], { u, d, s }]),
      own: ownFlows.map(({ svc, link, u, d }) => [[svc, link], { u, d }]),
      apps: flows.flatMap(({ acc, u, d }) => appsOf(this.#random, { u, d }).map(({ app, ...amount }): TrafficRow => [[app, acc], amount])),
      ownApps: ownFlows.map((flow): TrafficRow => {
        const { app, ...amount } = ownAppOf(flow);
        return [[app, flow.link], amount];
      }),
    };
  }
}

const added = (a: number | undefined, b: number | undefined) => (b === undefined ? undefined : b + (a ?? 0));

/** Sums by names. */
export class Sums {
  readonly #sums = new Map<string, TrafficRow>();

  add(names: readonly string[], amount: Amount) {
    const key = names.join(' ');
    const was: Amount = this.#sums.get(key)?.[1] ?? noBytes;
    const s = added(was.s, amount.s);
    const n = added(was.n, amount.n);
    const pk = amount.pk === undefined ? undefined : Math.max(amount.pk, was.pk ?? 0);
    const more = { ...(s !== undefined && { s }), ...(pk !== undefined && { pk }), ...(n !== undefined && { n }) };
    this.#sums.set(key, [names, { ...plus(was, amount), ...more }]);
  }

  /** Rows `name, bytes up, bytes down, further names, seconds, peak, sessions`, and an empty start. */
  take(): (string | number)[][] {
    const rows = [...this.#sums.values()].map(([[name = '', ...more], { u, d, s, pk, n }]) => [
      name,
      u,
      d,
      ...more,
      ...[s, pk, n].filter((value) => value !== undefined),
    ]);
    this.#sums.clear();
    return rows;
  }
}
