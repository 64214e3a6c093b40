import type { Network } from '@farlink/contract/protocol/network.ts';
import { type Authorization, authorizationAt, mayReceive } from '@farlink/gateway/protocol/authorization.ts';
import { type DownDanger, dangerCapability, maxPageHashes } from '@farlink/gateway/protocol/danger-list.ts';
import { linkClasses } from '@farlink/gateway/protocol/link.ts';
import type { Pool } from 'pg';
import type { Outgoing } from './outgoing.ts';

/** A gateway that has not confirmed the current list of dangerous websites. */
interface Waiting {
  readonly sn: string;
  readonly network: Network;
  readonly auth_status: Authorization;
  readonly auth_expire_at: number | null;
  /** Revision to continue from; 0 for the complete list. */
  readonly from: number;
}

const waitingSql = {
  name: 'field_danger_waiting',
  text: `
    select d.sn, d.network, d.auth_status, d.auth_expire_at, case when y.acked >= l.floor then y.acked else 0 end as from
    from device d cross join danger_list l left join danger_sync y on y.device_id = d.id
    where d.sn = any($1::text[]) and coalesce(y.acked, 0) < l.rev and '${dangerCapability}' = any(d.caps)`,
};

interface Page {
  readonly rev: number;
  readonly count: number;
  readonly digest: string;
  readonly n: number;
  readonly last: number | null;
  readonly added: Buffer | null;
  readonly gone: Buffer | null;
}

/** Hashes that changed after a revision, in the order of their changes. A removed hash that the gateway never had is left out. */
const pageSql = {
  name: 'field_danger_page',
  text: `
    select l.rev, l.count, lpad(to_hex(l.digest), 14, '0') as digest, p.*
    from danger_list l cross join lateral (
      select count(*)::int as n, max(c.rev) as last,
        string_agg(substring(int8send(c.hash) from 2), ''::bytea order by c.rev) filter (where not c.is_gone) as added,
        string_agg(substring(int8send(c.hash) from 2), ''::bytea order by c.rev) filter (where c.is_gone) as gone
      from (select hash, rev, is_gone from danger_hash where rev > $1 and (not is_gone or first_rev <= $1) order by rev limit $2) c
    ) p`,
};

/** On a link that is billed by volume, changes are sent only if they fit into one message. */
const maxOnMeteredLink = 90;

const pageOf = (from: number, page: Page, limit: number): Outgoing => {
  const { rev, count, digest, n, added, gone } = page;
  const isLast = n < limit;
  const to = isLast ? rev : (page.last ?? rev);
  const body: DownDanger = {
    from,
    to,
    ...(added && { a: added.toString('base64') }),
    ...(gone && { x: gone.toString('base64') }),
    ...(isLast && { n: count, h: digest }),
  };
  return { key: `danger ${from}-${to}`, tail: 'danger', body: JSON.stringify(body), sent: { kind: 'sent_danger', rev: to } };
};

/** Next page of the list for each gateway. The next one is sent when this one is confirmed. Gateways of one revision share a page. */
export const pendingDanger = async (pool: Pool, now: number, sns: readonly string[]): Promise<Map<string, Outgoing>> => {
  const { rows: waiting } = await pool.query<Waiting>({ ...waitingSql, values: [sns] });
  const ready = waiting.filter((to) => mayReceive(authorizationAt(to.auth_status, to.auth_expire_at, now)));
  const found = new Map<string, Outgoing>();
  for (const some of Map.groupBy(ready, ({ from, network }) => `${from} ${linkClasses[network].allowsHeavy}`).values()) {
    const [first] = some;
    if (!first) continue;
    const { allowsHeavy: heavy } = linkClasses[first.network];
    const limit = heavy ? maxPageHashes : maxOnMeteredLink;
    const { rows } = await pool.query<Page>({ ...pageSql, values: [first.from, limit] });
    const [page] = rows;
    if (!page || (!heavy && page.n === limit)) continue;
    const out = pageOf(first.from, page, limit);
    for (const { sn } of some) found.set(sn, out);
  }
  return found;
};
