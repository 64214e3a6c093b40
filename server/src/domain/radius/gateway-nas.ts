import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { open, seal } from '../../kit/session/secret.ts';
import { type RadiusPorts, radiusSection, setRadiusSection } from '../../orders/radius-section.ts';

/** Printable, because some NAS forms accept only text. */
export const newSecret = () => randomBytes(32).toString('base64url');

/** Gateways per run; the next run continues. */
export const gatewaysAtOnce = 500;

/** Gateways use UDP where the console has no RadSec. They then listen for CoA requests. */
const transportOf = (ports: RadiusPorts) => ('port' in ports ? ('radsec' as const) : ('udp' as const));

/**
 * Creates the NAS of each gateway with billing mode AAA or mixed that has none. The identifier is its SN. The interval follows its link:
 * L-band is expensive.
 */
export const createGatewayNas = async (db: Db, secretKey: Buffer, ports: RadiusPorts, now: number): Promise<number> => {
  const { rows } = await sql<{ id: number; agent_id: number; name: string; sn: string; is_slow: boolean }>`
    select d.id, d.agent_id, d.name, d.sn, d.network = 'l_band' as is_slow from device d
    where d.billing_mode in (2, 3) and not exists (select from nas n where n.device_id = d.id)
    order by d.id limit ${gatewaysAtOnce}`.execute(db);
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
        transport: transportOf(ports),
        // Gateways read these quota attributes, so a quota ends to the byte. The standard has none.
        vendor: 'chillispot' as const,
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

/** The ports of the console have changed since the NAS were created. */
export const setGatewayTransport = async (db: Db, ports: RadiusPorts, now: number) => {
  const transport = transportOf(ports);
  await db
    .updateTable('nas')
    .set({ transport, update_at: now })
    .where('device_id', 'is not', null)
    .where('transport', '<>', transport)
    .execute();
};

/** Sends RADIUS access to each gateway that supports RADIUS and has none or an older one. */
export const sendGatewayNas = async (
  db: Db,
  { secretKey, host, ports }: { readonly secretKey: Buffer; readonly host?: string | undefined; readonly ports: RadiusPorts },
  now: number,
): Promise<number> => {
  const { rows } = await sql<{ device_id: number; identifier: string; secret: string; interval_s: number; coa_port: number }>`
    select n.device_id, n.identifier, n.secret, n.interval_s, n.coa_port from nas n join device d on d.id = n.device_id
      left join desired_section s on s.device_id = d.id and s.section = ${radiusSection}
    where 'radius' = any(d.caps) and d.billing_mode in (2, 3) and (s.device_id is null or s.update_at < n.update_at)
    order by n.device_id limit ${gatewaysAtOnce}`.execute(db);
  for (const { device_id, identifier, secret, interval_s, coa_port } of rows) {
    const listenOn = 'port' in ports ? ports : { ...ports, coa: coa_port };
    const access = {
      ...(host !== undefined && { host }),
      ...listenOn,
      id: identifier,
      secret: open(secretKey, secret),
      interval: interval_s,
    };
    await setRadiusSection(db, device_id, access, secretKey, now);
  }
  return rows.length;
};
