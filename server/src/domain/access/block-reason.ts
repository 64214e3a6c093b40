import type { BlockReason } from '@farlink/gateway/protocol/account.ts';
import type { Db } from '../../kit/deps.ts';
import type { Service } from '../metering/engine/types.ts';
import { accessOf } from './access.ts';
import { isUnbound } from './unbound.ts';

/** Reason why a login of the account would be refused now, by the rules of the gateway, or that no gateway holds it. Null: not refused. */
export const blockReasonOf = async (
  db: Db,
  subscriberId: number,
  service: Service,
  now: number,
): Promise<BlockReason | 'unbound' | null> => {
  const access = (await accessOf(db, [subscriberId], now)).get(subscriberId);
  const stopped = service.mode !== 'stop' ? null : service.reason === 'exhausted' ? 'shutdown' : service.reason;
  if (access && !access.blocked && (await isUnbound(db, access))) return 'unbound';
  return access?.blocked ?? stopped;
};
