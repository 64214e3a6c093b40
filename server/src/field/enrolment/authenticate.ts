import { timingSafeEqual } from 'node:crypto';
import type { Network } from '@farlink/contract/protocol/network.ts';
import { type Authorization, authorizationAt, binding, mayConnect } from '@farlink/gateway/protocol/authorization.ts';
import { linkClasses } from '@farlink/gateway/protocol/link.ts';
import type { Pool } from 'pg';
import { completeTransfer } from '../../domain/transfer/complete-transfer.ts';
import type { Db } from '../../kit/deps.ts';
import { hashToken } from '../../kit/session/secret.ts';
import { verifierOf } from '../../orders/device-key.ts';
import { batching } from '../ingest/batching.ts';

interface Row {
  readonly id: number;
  readonly sn: string;
  readonly key_hash: string | null;
  readonly key_used_at: number | null;
  readonly key_verifier: string | null;
  readonly next_key_hash: string | null;
  readonly auth_status: Authorization;
  readonly auth_expire_at: number | null;
  readonly network: Network;
  readonly status: number;
}

/** Identity proof of a gateway: its device key, or a client certificate for its SN that the transport verified. */
export type Proof = { readonly key: string } | { readonly certified: true };

export type Admission = { readonly keepAlive: number } | { readonly refused: 'key' | 'suspended' };

/** Compared when there is no device or no key, so that an unknown SN takes as long as a wrong key. */
const emptyHash = hashToken('');

const sameHash = (a: string, b: string) => timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));

/** Gateways of the list that may be connected now, each with its key hash. */
export const admittedKeys = async (pool: Pool, now: number, sns: readonly string[]): Promise<ReadonlyMap<string, string | null>> => {
  const { rows } = await pool.query<Pick<Row, 'sn' | 'key_hash' | 'auth_status' | 'auth_expire_at'>>(
    'select sn, key_hash, auth_status, auth_expire_at from device where sn = any($1::text[])',
    [sns],
  );
  const may = rows.filter((row) => mayConnect(authorizationAt(row.auth_status, row.auth_expire_at, now)));
  return new Map(may.map((row) => [row.sn, row.key_hash]));
};

/** Logins that arrive together share one database query, so a reconnect storm stays cheap. */
export const authenticator = ({ pool, db }: { readonly pool: Pool; readonly db: Db }, now: () => number) => {
  const rowOf = batching<string, Row>(async (sns) => {
    const { rows } = await pool.query<Row>({
      name: 'field_device',
      text: 'select id, sn, key_hash, key_used_at, key_verifier, next_key_hash, auth_status, auth_expire_at, network, status from device where sn = any($1::text[])',
      values: [sns],
    });
    return new Map(rows.map((row) => [row.sn, row]));
  });
  const firstUse = batching<number, true>(async (ids) => {
    const sql = `update device d set key_used_at = $2, status = case when d.status in (1, 2, 5, 6) then 0 else d.status end
      from (select id from device where id = any($1::bigint[]) and key_used_at is null order by id for no key update) used where d.id = used.id`;
    await pool.query(sql, [ids, now()]);
    return new Map(ids.map((id) => [id, true]));
  });
  /** Adds the verifier for a key that was set by its hash only, or before verifiers existed. */
  const addVerifier = (id: number, hash: string, key: string) =>
    pool.query('update device set key_verifier = $3 where id = $1 and key_hash = $2', [id, hash, `${hash} ${verifierOf(key)}`]);
  const certified = async (sn: string): Promise<Admission> => {
    const row = await rowOf(sn);
    // The first enrolment decides the VNO of the device, and an operator approves it.
    if (!row || row.status === binding.waiting || row.status === binding.rejected) return { refused: 'key' };
    if (!mayConnect(authorizationAt(row.auth_status, row.auth_expire_at, now()))) return { refused: 'suspended' };
    // The device is in use, although not through its key. No other hardware may get a key for it.
    if (row.key_used_at === null) await firstUse(row.id);
    return { keepAlive: linkClasses[row.network].keepAlive };
  };
  return async (sn: string, proof: Proof): Promise<Admission> => {
    if ('certified' in proof) return certified(sn);
    const { key } = proof;
    const row = await rowOf(sn);
    const hash = hashToken(key);
    const fits = sameHash(hash, row?.key_hash ?? emptyHash);
    const isNext = sameHash(hash, row?.next_key_hash ?? emptyHash) && row?.next_key_hash !== null;
    if (!row || !((fits && row.key_hash !== null) || isNext)) return { refused: 'key' };
    if (!mayConnect(authorizationAt(row.auth_status, row.auth_expire_at, now()))) return { refused: 'suspended' };
    // The first login with the new key completes the device transfer. If the transfer has ended, the key is invalid.
    if (isNext && !(await completeTransfer(db, row.id, hash, now()))) return { refused: 'key' };
    if (row.key_used_at === null) await firstUse(row.id);
    if (!row.key_verifier?.startsWith(`${hash} `)) await addVerifier(row.id, hash, key);
    return { keepAlive: linkClasses[row.network].keepAlive };
  };
};
