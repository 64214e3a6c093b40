import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';

/** Name and console logo of a VNO. */
export interface VnoBrand {
  readonly id: number;
  readonly name: string;
  /** Key of the logo in the file store: its own, else that of the nearest VNO above. */
  readonly logo: string | null;
}

/** Public URL path of a logo. Its name is random, so it cannot be guessed. */
export const logoUrl = <K extends string | null>(key: K) => (key === null ? null : `/agt/v1/brand/${key}`);

/** SQL for a VNO `a`: the logo of the nearest VNO, itself included. */
const nearest = (column: 'logo' | 'device_logo') => sql<string | null>`(
  select above.${sql.ref(column)} from agent above
  where above.id = any(string_to_array(trim(both '/' from a.path), '/')::bigint[]) and above.${sql.ref(column)} is not null
  order by above.agent_level desc limit 1)`;

export const findBrand = async (db: Db, agentId: number): Promise<VnoBrand | undefined> => {
  const { rows } = await sql<VnoBrand>`select a.id, a.name, ${nearest('logo')} as logo from agent a where a.id = ${agentId}`.execute(db);
  return rows[0];
};

export const brandOf = async (db: Db, agentId: number): Promise<VnoBrand> => {
  const brand = await findBrand(db, agentId);
  if (!brand) throw new Error(`no VNO ${agentId}`);
  return brand;
};

/** Logos of the nearest VNOs above, without the VNO itself. */
export const inheritedLogos = async (db: Db, agentId: number) => {
  const { rows } = await sql<{ logo: string | null; device_logo: string | null }>`
    select ${nearest('logo')} as logo, ${nearest('device_logo')} as device_logo
    from agent a join agent child on child.parent_id = a.id where child.id = ${agentId}`.execute(db);
  return rows[0] ?? { logo: null, device_logo: null };
};

/**
 * Brand of the VNO that owns the host: a console domain that is enabled and proven. Every other host has the brand of the platform. `host`
 * has no port.
 */
export const brandOfHost = async (db: Db, host: string): Promise<VnoBrand> => {
  const { rows } = await sql<VnoBrand>`
    select a.id, a.name, ${nearest('logo')} as logo from agent a
    where a.agent_level = 0 or a.id = (
      select d.agent_id from domain d
      where d.domain = ${host.toLowerCase().replace(/\.$/, '')} and d.domain_type = 'console' and d.status = 1 and d.proven_at is not null)
    order by a.agent_level desc limit 1`.execute(db);
  const [brand] = rows;
  if (!brand) throw new Error('no platform');
  return brand;
};
