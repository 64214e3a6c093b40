import type { Config } from '../../env/config.ts';
import type { Db } from '../../kit/deps.ts';
import { open, randomToken, seal } from '../../kit/session/secret.ts';

/** Key with which this gateway signs handovers. The first use creates it. Undefined: no such device. */
export const portalKeyOf = async (db: Db, { secretKey }: Pick<Config, 'secretKey'>, deviceId: number): Promise<string | undefined> => {
  const read = () => db.selectFrom('device').select('portal_key').where('id', '=', deviceId).executeTakeFirst();
  const known = await read();
  if (!known) return undefined;
  if (known.portal_key !== null) return open(secretKey, known.portal_key);
  await db
    .updateTable('device')
    .set({ portal_key: seal(secretKey, randomToken()) })
    .where('id', '=', deviceId)
    .where('portal_key', 'is', null)
    .execute();
  const stored = await read();
  return stored?.portal_key ? open(secretKey, stored.portal_key) : undefined;
};
