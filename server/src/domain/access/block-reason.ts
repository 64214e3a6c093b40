import type { BlockReason } from '@farlink/gateway/protocol/account.ts';
import type { Db } from '../../kit/deps.ts';
import type { Service } from '../metering/types.ts';
import { accessOf } from './access.ts';

/** Reason why a login of the account would be refused now, by the rules of the gateway. Null: not refused. */
export const blockReasonOf = async (db: Db, subscriberId: number, service: Service, now: number): Promise<BlockReason | null> => {
  const access = (await accessOf(db, [subscriberId], now)).get(subscriberId);
  const stopped = service.mode !== 'stop' ? null : service.reason === 'exhausted' ? 'shutdown' : service.reason;
  return access?.blocked ?? stopped;
};
