import { type Authorization, authorizationAt, mayConnect } from '@farlink/gateway/protocol/authorization.ts';
import type { Pool } from 'pg';
import { batching } from '../ingest/batching.ts';

interface Row {
  readonly sn: string;
  readonly auth_status: Authorization;
  readonly auth_expire_at: number | null;
}

/**
 * The broker authenticates a gateway; the console authorizes it. Authorization is read at hello and on a cache miss. Messages that arrive
 * meanwhile wait in order.
 */
export const openAuthorizationCache = (pool: Pool, now: () => number, failed: (error: unknown) => void) => {
  const cached = new Map<string, boolean>();
  const waiting = new Map<string, ((may: boolean) => void)[]>();
  const readMany = batching<string, boolean>(async (sns) => {
    const { rows } = await pool.query<Row>({
      name: 'field_authorization',
      text: 'select sn, auth_status, auth_expire_at from device where sn = any($1::text[])',
      values: [sns],
    });
    return new Map(rows.map((row) => [row.sn, mayConnect(authorizationAt(row.auth_status, row.auth_expire_at, now()))]));
  });

  const readAuthorization = async (sn: string) => {
    try {
      const may = (await readMany(sn)) ?? false;
      // Refused SNs are not cached, because their number has no limit.
      if (may) cached.set(sn, may);
      else cached.delete(sn);
      const waiters = waiting.get(sn) ?? [];
      waiting.delete(sn);
      for (const resume of waiters) resume(may);
    } catch (error) {
      failed(error);
      setTimeout(() => void readAuthorization(sn), 1000).unref();
    }
  };

  return {
    /** Calls back at once on a cache hit, otherwise after the lookup. */
    check: (sn: string, isHello: boolean, resume: (may: boolean) => void) => {
      const waiters = waiting.get(sn);
      if (waiters) return void waiters.push(resume);
      const may = isHello ? undefined : cached.get(sn);
      if (may !== undefined) return resume(may);
      waiting.set(sn, [resume]);
      void readAuthorization(sn);
    },
    forget: (sn: string) => cached.delete(sn),
  };
};
