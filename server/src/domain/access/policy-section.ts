import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { setDesired } from '../../orders/desired.ts';

/** Section with the application templates that the accounts of a gateway refer to, by id. */
export const policySection = 'policies';

interface Template {
  readonly device_id: number;
  readonly id: number;
  readonly name: string;
  readonly mode: number;
  readonly configure: readonly string[];
}

/** Sends the templates to gateways where they changed. */
export const syncPolicies = async (db: Db, devices: readonly number[], now: number) => {
  if (devices.length === 0) return;
  const { rows } = await sql<Template>`
    select u.device_id, a.id, a.name, a.mode, a.configure from (
      select distinct g.device_id, (g.doc ->> 'ap')::bigint as id from gateway_account g
      where g.device_id = any(${devices}::bigint[]) and not g.is_gone and g.doc ? 'ap'
    ) u join application a on a.id = u.id order by u.device_id, a.id`.execute(db);
  const { rows: stored } = await sql<{ device_id: number; hash: string }>`
    select device_id, hash from desired_section where device_id = any(${devices}::bigint[]) and section = ${policySection}`.execute(db);
  const hashAt = new Map(stored.map(({ device_id, hash }) => [device_id, hash]));
  const byDevice = Map.groupBy(rows, ({ device_id }) => device_id);
  for (const device of devices) {
    const templates = byDevice.get(device) ?? [];
    const doc: JsonObject = Object.fromEntries(
      templates.map(({ id, name, mode, configure }) => [String(id), { name, mode, apps: [...configure] }]),
    );
    const isNew = hashAt.has(device) ? hashAt.get(device) !== hashOf(doc) : templates.length > 0;
    if (isNew) await setDesired(db, device, policySection, doc, { now });
  }
};
