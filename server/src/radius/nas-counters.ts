import { sql } from 'kysely';
import type { Deps } from '../kit/deps.ts';

interface CounterRow {
  wrong_secret: number;
  duplicates: number;
  drops: number;
  last_at: number | null;
  last_addr: string | null;
  via_nas_id: number | null;
  ma_seen_at: number | null;
  ma_missing_at: number | null;
  login_seen_at: number | null;
  accounting_seen_at: number | null;
  class_returned: boolean | null;
  clock_offset_s: number | null;
}

interface Sender {
  readonly nas: { readonly id: number };
  readonly proxyId: number | null;
}

export type NasCounter = 'wrong_secret' | 'duplicates' | 'drops';

/** Counters of clients, collected in memory and stored once a second. */
export const openNasCounters = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) => {
  let pending = new Map<number, CounterRow>();
  /** Packets without a known client, by cause. */
  const unknown: Record<string, number> = { malformed: 0, unknown_nas: 0, flood: 0 };

  const of = (id: number): CounterRow => {
    const found = pending.get(id);
    if (found) return found;
    const made: CounterRow = {
      wrong_secret: 0,
      duplicates: 0,
      drops: 0,
      last_at: null,
      last_addr: null,
      via_nas_id: null,
      ma_seen_at: null,
      ma_missing_at: null,
      login_seen_at: null,
      accounting_seen_at: null,
      class_returned: null,
      clock_offset_s: null,
    };
    pending.set(id, made);
    return made;
  };

  return {
    unknown,
    count: (id: number, counter: NasCounter) => {
      of(id)[counter] += 1;
    },
    refuse: (reason: 'malformed' | 'unknown_nas' | 'flood') => {
      unknown[reason] = (unknown[reason] ?? 0) + 1;
    },
    /** An unsigned request that was dropped: its sender is not proven, only observed. */
    unsigned: (id: number) => {
      of(id).ma_missing_at = clock.now();
    },
    /** A request with a proven secret; `isSigned` says whether an Access-Request had a Message-Authenticator. */
    seen: ({ nas: { id }, proxyId }: Sender, address: string, isSigned?: boolean) => {
      const row = of(id);
      row.last_at = clock.now();
      row.last_addr = address;
      row.via_nas_id = proxyId;
      if (isSigned === true) row.ma_seen_at = clock.now();
      if (isSigned === false) row.ma_missing_at = clock.now();
    },
    login: (id: number) => {
      of(id).login_seen_at = clock.now();
    },
    /** `isReturned`: whether a request of a session had our Class. One without it marks the NAS. */
    accounting: (
      id: number,
      { isReturned, offset }: { readonly isReturned?: boolean | undefined; readonly offset?: number | undefined },
    ) => {
      const row = of(id);
      row.accounting_seen_at = clock.now();
      if (isReturned !== undefined) row.class_returned = isReturned && row.class_returned !== false;
      if (offset !== undefined) row.clock_offset_s = offset;
    },
    flush: async () => {
      if (pending.size === 0) return;
      const rows = [...pending].sort(([a], [b]) => a - b).map(([id, row]) => ({ id, ...row }));
      pending = new Map();
      await sql`
        update nas n set wrong_secret = n.wrong_secret + u.wrong_secret, duplicates = n.duplicates + u.duplicates, drops = n.drops + u.drops,
          last_at = greatest(n.last_at, u.last_at), last_addr = coalesce(u.last_addr, n.last_addr),
          via_nas_id = case when u.last_at is null then n.via_nas_id else u.via_nas_id end,
          ma_seen_at = greatest(n.ma_seen_at, u.ma_seen_at), ma_missing_at = greatest(n.ma_missing_at, u.ma_missing_at),
          login_seen_at = greatest(n.login_seen_at, u.login_seen_at), accounting_seen_at = greatest(n.accounting_seen_at, u.accounting_seen_at),
          class_returned = coalesce(u.class_returned, n.class_returned), clock_offset_s = coalesce(u.clock_offset_s, n.clock_offset_s)
        from (select * from json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, wrong_secret bigint, duplicates bigint, drops bigint,
          last_at bigint, last_addr text, via_nas_id bigint, ma_seen_at bigint, ma_missing_at bigint, login_seen_at bigint, accounting_seen_at bigint,
          class_returned boolean, clock_offset_s bigint) order by id) u
        where n.id = u.id`.execute(db);
    },
  };
};

export type NasCounters = ReturnType<typeof openNasCounters>;
