import type { Insertable } from 'kysely';
import type { Database } from '../src/db/tables.ts';
import { keyColumns } from '../src/orders/device-key.ts';
import type { Api } from './api.ts';

type NewDevice = Partial<Insertable<Database['device']>>;

/** Devices are inserted directly, so that a test can start in any state. */
export const makeFleet = (api: Api, prefix: string) => {
  const { db } = api;
  let n = 0;
  const add = async (agent_id: number, more: NewDevice = {}) => {
    const sn = `${prefix}-${++n}`;
    return db
      .insertInto('device')
      .values({
        agent_id,
        name: `${prefix} ship ${n}`,
        sn,
        create_at: api.clock.now(),
        ...keyColumns(`key of ${sn}`),
        key_used_at: 1,
        ...more,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  };
  const online = (agent_id: number, more: NewDevice = {}) =>
    add(agent_id, { online_state: 1, conn_id: 'c', boot_at: api.clock.now() - 3600, network: '6d', current_link: '6d', ...more });
  const read = (id: number) => db.selectFrom('device').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const commands = (id: number) =>
    db.selectFrom('device_command').selectAll().where('device_id', '=', id).orderBy('create_at').orderBy('state', 'desc').execute();
  return { add, online, read, commands };
};
