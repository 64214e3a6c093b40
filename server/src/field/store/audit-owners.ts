import { open } from '../../kit/session/secret.ts';
import type { BatchItem, Tx } from './tx.ts';

/** The subscriber of an account at the time of storing. */
export interface Person {
  readonly id: number;
  readonly name: string;
  readonly phone: string;
  readonly id_number: string | null;
}

/** Owner of a device at a time, and the subscriber of an account there. */
export type Owner = (device: number, account: string, at: number) => { readonly agent: number; readonly person: Person | undefined };

const ownersSql = `
  select u.device, u.day, device_owner(u.device, u.day) as agent from json_to_recordset($1::json) as u(device bigint, day bigint)`;

const peopleSql = `
  select u.agent, lower(s.account) as account, s.id, s.name, s.phone, s.id_number
  from json_to_recordset($1::json) as u(agent bigint, account text)
    join subscriber s on lower(s.account) = u.account and s.agent_id = u.agent`;

const timesOf = ({ device, body }: BatchItem) =>
  body.rows.map(({ at, acc }) => ({ device, at: Number(at), account: String(acc ?? '').toLowerCase() }));

/** Reads owners and subscribers of all rows by two statements. */
export const auditOwners = async (tx: Tx, items: readonly BatchItem[]): Promise<Owner> => {
  const times = [...items.flatMap(timesOf), ...items.map(({ device }) => ({ device, at: tx.now, account: '' }))];
  const key = (device: number, at: number) => `${device} ${at}`;
  const moments = [...new Map(times.map(({ device, at }) => [key(device, at), { device, day: at }])).values()];
  const owners = await tx.query<{ device: number; day: number; agent: number }>('audit_owners', ownersSql, [JSON.stringify(moments)]);
  const agents = new Map(owners.map(({ device, day, agent }) => [key(device, day), agent]));
  const agentAt = (device: number, at: number) => agents.get(key(device, at)) ?? agents.get(key(device, tx.now)) ?? 0;
  const names = new Map(
    times.flatMap(({ device, at, account }) => {
      const agent = agentAt(device, at);
      return account === '' ? [] : [[`${agent} ${account}`, { agent, account }] as const];
    }),
  );
  const people = await tx.query<{ agent: number; account: string } & Person>('audit_people', peopleSql, [
    JSON.stringify([...names.values()]),
  ]);
  const found = new Map(
    people.map(({ agent, account, id_number, ...one }) => [
      `${agent} ${account}`,
      { ...one, id_number: id_number === null ? null : open(tx.secretKey, id_number) },
    ]),
  );
  return (device, account, at) => {
    const agent = agentAt(device, at);
    return { agent, person: found.get(`${agent} ${account.toLowerCase()}`) };
  };
};
