import type { Network } from '@farlink/contract/protocol/network.ts';
import { maxAccountEntries } from '@farlink/gateway/protocol/account.ts';
import { type Authorization, authorizationAt, mayReceive } from '@farlink/gateway/protocol/authorization.ts';
import { linkClasses } from '@farlink/gateway/protocol/link.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Pool } from 'pg';
import type { Outgoing } from './outgoing.ts';

/** A gateway whose accounts have changed since the revision that it confirmed. */
interface Waiting {
  readonly device_id: number;
  readonly sn: string;
  readonly network: Network;
  readonly rev: number;
  readonly acked: number;
  readonly is_whole: boolean;
  readonly whole_to: number;
  readonly auth_status: Authorization;
  readonly auth_expire_at: number | null;
}

interface Row {
  readonly rev: number;
  readonly account: string;
  readonly doc: JsonObject;
  readonly is_gone: boolean;
}

const waitingSql = {
  name: 'field_accounts_waiting',
  text: `
    select d.id as device_id, d.sn, d.network, y.rev, y.acked, y.is_whole, y.whole_to, d.auth_status, d.auth_expire_at
    from device d join account_sync y on y.device_id = d.id
    where d.sn = any($1::text[]) and y.rev > y.acked and not y.is_lost and 'accounts' = any(d.caps)`,
};

const rowsSql = {
  name: 'field_accounts_page',
  text: `select rev, account, doc, is_gone from gateway_account where device_id = $1 and rev > $2 order by rev limit ${maxAccountEntries}`,
};

/** Bytes of a page without its entries. */
const frameBytes = 120;

/** Rows that fit into one message. A small message can be too large for L-band even with one row; it then waits for another link. */
const fitting = (rows: readonly Row[], maxBytes: number): Row[] => {
  let remaining = maxBytes - frameBytes;
  const page: Row[] = [];
  for (const row of rows) {
    remaining -= Buffer.byteLength(row.is_gone ? row.account : JSON.stringify(row.doc)) + 3;
    if (remaining < 0) break;
    page.push(row);
  }
  return page;
};

const pageOf = (to: Waiting, rows: readonly Row[]): Outgoing | undefined => {
  const isFirst = to.is_whole && to.acked === 0;
  const page = fitting(isFirst ? rows.filter((row) => !row.is_gone) : rows, linkClasses[to.network].downBytes);
  const last = page.at(-1)?.rev ?? (rows.length > 0 && isFirst && rows.every((row) => row.is_gone) ? to.rev : undefined);
  if (last === undefined) return undefined;
  const isLast = page.length === rows.length && rows.length < maxAccountEntries;
  const end = isLast ? to.rev : last;
  const ends = (isFirst && isLast) || (to.whole_to > 0 && end >= to.whole_to);
  const body = {
    from: to.acked,
    to: end,
    a: page.flatMap((row) => (row.is_gone ? [] : [row.doc])),
    x: page.flatMap((row) => (row.is_gone ? [row.account] : [])),
    ...(isFirst && { all: true }),
    ...(ends && { end: true }),
  };
  return { key: `accounts ${to.acked}-${end}`, tail: 'acc', body: JSON.stringify(body), sent: { kind: 'sent_accounts', rev: end } };
};

/** Next page of account changes for each gateway. The next one is sent when this one is confirmed. */
export const pendingAccounts = async (pool: Pool, now: number, sns: readonly string[]): Promise<Map<string, Outgoing>> => {
  const { rows: waiting } = await pool.query<Waiting>({ ...waitingSql, values: [sns] });
  const found = new Map<string, Outgoing>();
  for (const to of waiting) {
    if (!mayReceive(authorizationAt(to.auth_status, to.auth_expire_at, now))) continue;
    const { rows } = await pool.query<Row>({ ...rowsSql, values: [to.device_id, to.acked] });
    const page = pageOf(to, rows);
    if (page) found.set(to.sn, page);
  }
  return found;
};
