import type { TrafficKind } from '@farlink/contract/traffic/kinds.ts';
import type { Db } from '../../kit/deps.ts';

/** All reports that arrived before this time are in the figures; null before the first rollup. */
export const asOf = async (db: Db, kind: TrafficKind): Promise<number | null> => {
  const state = await db.selectFrom('traffic_state').select('as_of').where('kind', '=', kind.id).executeTakeFirst();
  return state && state.as_of > 0 ? state.as_of : null;
};
