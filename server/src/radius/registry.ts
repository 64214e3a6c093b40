import type { NasVendor } from '@farlink/contract/advanced/nas.ts';
import type { RouterProtocol } from '@farlink/contract/advanced/router-login.ts';
import { sql } from 'kysely';
import type { Deps } from '../kit/deps.ts';
import { open } from '../kit/session/secret.ts';

export interface Nas {
  readonly id: number;
  readonly agent_id: number;
  /** The gateway itself, or null for a NAS of another maker. */
  readonly device_id: number | null;
  /** The gateway whose accounts may log in. Null: all accounts of the VNO. */
  readonly site_id: number | null;
  readonly site_group_id: number | null;
  readonly name: string;
  readonly identifier: string;
  readonly addr: string | null;
  readonly secret: string;
  readonly transport: 'udp' | 'radsec';
  readonly require_ma: boolean;
  readonly chap: boolean;
  readonly mschap: boolean;
  readonly no_gigawords: boolean;
  readonly coa_port: number;
  readonly vendor: NasVendor;
  readonly end_refused: boolean;
  readonly login_protocol: RouterProtocol;
  readonly interval_s: number;
  readonly language: 'zh' | 'en';
  readonly last_addr: string | null;
  /** Requests with the identifier of another NAS of its VNO belong to that NAS. */
  readonly is_proxy: boolean;
}

/** All NAS of the installation. Requests are matched in memory, without a query. */
export interface Registry {
  load(): Promise<void>;
  /** Only NAS that were created since. */
  loadNew(): Promise<void>;
  get(id: number): Nas | undefined;
  /** Clients that may have sent this: identity is the identifier, and the address only where there is none. The secret decides. */
  candidates(identifier: string | undefined, addresses: readonly string[]): readonly Nas[];
  /** The NAS of the same VNO that a trusted proxy names: `operator:identifier`, identifier, or address. */
  behind(
    proxy: Nas,
    inner: { readonly operator?: string | undefined; readonly identifier?: string | undefined; readonly address?: string | undefined },
  ): Nas | undefined;
  /** The client of a TLS identity (PSK identity or common name of the certificate). */
  byIdentity(identity: string): Nas | undefined;
}

/** A secret is tested with at most this many clients of the same identifier. */
const maxCandidates = 8;

const slowIntervalS = 1800;

const addTo = (groups: Map<string, Nas[]>, key: string, nas: Nas) => {
  const group = groups.get(key);
  if (group) group.push(nas);
  else groups.set(key, [nas]);
};

const emptyState = () => ({
  all: new Map<number, Nas>(),
  byIdentifier: new Map<string, Nas[]>(),
  byAddress: new Map<string, Nas[]>(),
  /** Opened secrets by their sealed form, so that a reload opens only new ones. */
  secrets: new Map<string, string>(),
});
type RegistryState = ReturnType<typeof emptyState>;

type NasRow = Nas & { readonly is_slow: boolean | null };

/** A larger result would block the event loop. */
const perQuery = 2000;

/** A NAS with a lower id may be committed later, so this many ids are read again. */
const overlap = 1000;

/** A gateway that bills by itself is no client, even if it was one before. */
const nasAfter = (id: number) => sql<NasRow>`
  select n.id, n.agent_id, n.device_id, n.name, n.identifier, n.addr, n.secret, n.transport, n.require_ma, n.chap, n.mschap, n.no_gigawords,
    n.coa_port, n.vendor, n.end_refused, n.login_protocol, n.interval_s, n.language, n.last_addr, n.is_proxy, d.id as site_id,
    d.device_group_id as site_group_id, d.network = 'l_band' as is_slow
  from nas n left join device d on d.id = coalesce(n.device_id, n.site_device_id)
  where n.id > ${id} and (n.device_id is null or d.billing_mode in (2, 3)) order by n.id limit ${perQuery}`;

export const openRegistry = ({ db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>): Registry => {
  let state = emptyState();
  /** Highest id that was read. */
  let newest = 0;

  const openSecret = (sealed: string) => state.secrets.get(sealed) ?? open(config.secretKey, sealed);
  const opened = ({ is_slow, ...nas }: NasRow): Nas | undefined => {
    try {
      const interval_s = is_slow ? Math.max(slowIntervalS, nas.interval_s) : nas.interval_s;
      return { ...nas, interval_s, secret: openSecret(nas.secret) };
    } catch {
      log.error({ nas: nas.id }, 'NAS secret cannot be opened');
      return undefined;
    }
  };

  /** Adds the NAS after an id. */
  const addAfter = async (id: number, add: (nas: Nas, sealed: string) => void) => {
    for (let last: number | undefined = id; last !== undefined; ) {
      const { rows }: { rows: NasRow[] } = await nasAfter(last).execute(db);
      for (const row of rows) {
        const nas = opened(row);
        if (nas) add(nas, row.secret);
        newest = Math.max(newest, row.id);
      }
      last = rows.length < perQuery ? undefined : rows.at(-1)?.id;
    }
  };
  const addNas = (to: RegistryState, nas: Nas, sealed: string) => {
    to.secrets.set(sealed, nas.secret);
    to.all.set(nas.id, nas);
    addTo(to.byIdentifier, nas.identifier, nas);
    if (nas.addr !== null) addTo(to.byAddress, nas.addr, nas);
  };
  const load = async () => {
    const next = emptyState();
    await addAfter(0, (nas, sealed) => addNas(next, nas, sealed));
    state = next;
  };
  const loadNew = () =>
    addAfter(newest - overlap, (nas, sealed) => {
      if (!state.all.has(nas.id)) addNas(state, nas, sealed);
    });
  let loading: Promise<void> = Promise.resolve();
  // One at a time, so that an older result does not replace a newer one.
  const oneAtATime = (work: () => Promise<void>) => {
    loading = loading.then(work, work);
    return loading;
  };

  return {
    load: () => oneAtATime(load),
    loadNew: () => oneAtATime(loadNew),
    get: (id) => state.all.get(id),
    candidates: (identifier, addresses) => {
      const found = identifier === undefined ? undefined : state.byIdentifier.get(identifier);
      // A proxy in front sends the identifiers of the NAS behind it, so its address is tried too.
      const byAddress = addresses.flatMap((address) => state.byAddress.get(address) ?? []);
      return [...new Set([...(found ?? []), ...byAddress])].slice(0, maxCandidates);
    },
    behind: (proxy, { operator, identifier, address }) => {
      if (!proxy.is_proxy) return undefined;
      const named = identifier === undefined ? [] : [...(operator === undefined ? [] : [`${operator}:${identifier}`]), identifier];
      const found = [...named.flatMap((name) => state.byIdentifier.get(name) ?? []), ...(state.byAddress.get(address ?? '') ?? [])];
      return found.find((nas) => nas.agent_id === proxy.agent_id && nas.device_id === null && nas.id !== proxy.id);
    },
    byIdentity: (identity) => {
      const named = state.byIdentifier.get(identity) ?? [];
      const gateway = named.find((nas) => nas.device_id !== null);
      if (gateway) return gateway;
      const [, identifier, id] = /^(.+)#(\d{1,15})$/.exec(identity) ?? [];
      const exact = id === undefined ? undefined : state.all.get(Number(id));
      if (exact?.identifier === identifier && exact?.transport === 'radsec') return exact;
      const [only, ...others] = named.filter((nas) => nas.transport === 'radsec');
      return others.length === 0 ? only : undefined;
    },
  };
};
