import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { seal } from '../../kit/session/secret.ts';

/** Printable, because some NAS forms accept only text. */
export const newSecret = () => randomBytes(32).toString('base64url');

/** Gateways per run; the next run continues. */
const atOnce = 500;

/**
 * Creates the NAS of each gateway with billing mode AAA or mixed that has none. The identifier is its SN. The interval follows its link:
 * L-band is expensive.
 */
export const createGatewayNas = async (db: Db, secretKey: Buffer, now: number): Promise<number> => {
  const { rows } = await sql<{ id: number; agent_id: number; name: string; sn: string; is_slow: boolean }>`
    select d.id, d.agent_id, d.name, d.sn, d.network = 'l_band' as is_slow from device d
    where d.billing_mode in (2, 3) and not exists (select from nas n where n.device_id = d.id)
    order by d.id limit ${atOnce}`.execute(db);
  if (rows.length === 0) return 0;
  const created = await db
    .insertInto('nas')
    .values(
      rows.map(({ id, agent_id, name, sn, is_slow }) => ({
        agent_id,
        device_id: id,
        name,
        identifier: sn,
        secret: seal(secretKey, newSecret()),
        transport: 'radsec' as const,
        interval_s: is_slow ? 1800 : 300,
        create_at: now,
        update_at: now,
      })),
    )
    .onConflict((oc) => oc.doNothing())
    .returning('id')
    .execute();
  return created.length;
};
