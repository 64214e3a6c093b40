import { gatewayPermission } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Db } from '../../kit/deps.ts';
import { setDesired } from '../../orders/desired.ts';

const section = 'accounts';
const keys = [...gatewayPages.values()].map((page) => ({ key: page.key, permission: gatewayPermission(page) }));

/** Page keys that are operable (`w`) and read-only (`r`); `*` means all pages. */
const pagesOf = (permissions: Readonly<Record<string, string>>): JsonObject => {
  const of = (grant: string) => keys.flatMap(({ key, permission }) => (permissions[permission] === grant ? [key] : []));
  const packed = (some: readonly string[]) => (some.length === keys.length ? '*' : some);
  return { w: packed(of('11')), r: packed(of('10')) };
};

/** Sends the page grants of its accounts to a gateway. An account without settings keeps the default of the gateway. */
export const sendAccounts = async (db: Db, deviceId: number, now: number) => {
  const rows = await db
    .selectFrom('device_account')
    .select(['username', 'permissions'])
    .where('device_id', '=', deviceId)
    .where('version', '>', 1)
    .orderBy('username')
    .execute();
  const doc = Object.fromEntries(rows.map(({ username, permissions }) => [username, pagesOf(permissions)]));
  await setDesired(db, deviceId, section, { accounts: doc }, { now });
};
