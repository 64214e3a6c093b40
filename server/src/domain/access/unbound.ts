import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import type { DeviceBinding } from '../package/find-package.ts';

export interface AccountBinding extends DeviceBinding {
  readonly whole_vno: boolean;
}

/** A VNO with a RADIUS client, which accepts all accounts of the VNO. */
const hasRadius = (agentId: RawBuilder<unknown>) => sql<SqlBool>`exists (select from nas n left join device d on d.id = n.device_id
  where n.agent_id = ${agentId} and (n.device_id is null or d.billing_mode in (2, 3)))`;

/** Whether no gateway holds the account and no RADIUS client accepts it. Gateways hold accounts of their device, group or whole VNO. */
export const isUnbound = async (db: Db, { agent_id, device_id, device_group_id, whole_vno }: AccountBinding): Promise<boolean> => {
  if (device_id !== null || device_group_id !== null || whole_vno) return false;
  const { rows } = await sql`select where not ${hasRadius(sql`${agent_id}::bigint`)}`.execute(db);
  return rows.length > 0;
};

/** An account that cannot go online is sold nothing. */
export const refuseUnbound = async (db: Db, account: AccountBinding): Promise<void> => {
  if (await isUnbound(db, account)) throw fail('account_unbound');
};

const placeless = sql<SqlBool>`subscriber.device_id is null and subscriber.device_group_id is null`;
export const isWholeVno = sql<boolean>`(${placeless} and subscriber.whole_vno)`;

/** Accounts by their place. `unusable`: bound to nothing although a package is paid. */
export const placeIs = {
  device: sql<SqlBool>`subscriber.device_id is not null`,
  group: sql<SqlBool>`subscriber.device_group_id is not null`,
  vno: sql<SqlBool>`${isWholeVno}`,
  none: sql<SqlBool>`${placeless} and not subscriber.whole_vno`,
  unusable: sql<SqlBool>`${placeless} and not subscriber.whole_vno and subscriber.package_status in ('to_be_used', 'normal')
    and not ${hasRadius(sql`subscriber.agent_id`)}`,
} as const;
