import { timingSafeEqual } from 'node:crypto';
import { type Authorization, authorizationAt, mayConnect } from '@farlink/gateway/protocol/authorization.ts';
import { linkClasses, type Network } from '@farlink/gateway/protocol/link.ts';
import type { Pool } from 'pg';
import { hashToken } from '../kit/secret.ts';
import { batching } from './batching.ts';

interface Row {
  readonly id: number;
  readonly sn: string;
  readonly key_hash: string | null;
  readonly key_used_at: number | null;
  readonly auth_status: Authorization;
  readonly auth_expire_at: number | null;
  readonly network: Network;
}

export type Admission = { readonly keepAlive: number } | { readonly refused: 'key' | 'suspended' };

/** Compared with where there is no device or no key, so that an unknown SN takes as long as a wrong key. */
const nobody = hashToken('');

const sameHash = (a: string, b: string) => timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));

/** Many gateways that come back at once ask the database once. */
export const authenticator = (pool: Pool, now: () => number) => {
  const rowOf = batching<string, Row>(async (sns) => {
    const { rows } = await pool.query<Row>({
      name: 'field_device',
      text: 'select id, sn, key_hash, key_used_at, auth_status, auth_expire_at, network from device where sn = any($1::text[])',
      values: [sns],
    });
    return new Map(rows.map((row) => [row.sn, row]));
  });
  const firstUse = batching<number, true>(async (ids) => {
    const sql =
      'update device set key_used_at = $2, status = case when status in (1, 2) then 0 else status end where id = any($1::bigint[]) and key_used_at is null';
    await pool.query(sql, [ids, now()]);
    return new Map(ids.map((id) => [id, true]));
  });
  return async (sn: string, key: string): Promise<Admission> => {
    const row = await rowOf(sn);
    const fits = sameHash(hashToken(key), row?.key_hash ?? nobody);
    if (!row || row.key_hash === null || !fits) return { refused: 'key' };
    if (!mayConnect(authorizationAt(row.auth_status, row.auth_expire_at, now()))) return { refused: 'suspended' };
    if (row.key_used_at === null) await firstUse(row.id);
    return { keepAlive: linkClasses[row.network].keepAlive };
  };
};
