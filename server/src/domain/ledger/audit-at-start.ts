import type { Deps } from '../../kit/deps.ts';
import { auditLedger } from './check-ledger.ts';

/** Goes through the books while the server already works; what is wrong with them is an error that somebody must see. */
export const auditAtStart = ({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> =>
  auditLedger(db).then(
    (faults) => {
      if (faults.length > 0) log.error({ faults }, 'the ledger does not balance');
      else log.info('the ledger balances');
    },
    (err) => log.warn({ err }, 'the ledger could not be audited'),
  );
