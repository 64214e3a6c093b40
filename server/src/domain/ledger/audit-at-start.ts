import type { Deps } from '../../kit/deps.ts';
import { auditLedger } from './check-ledger.ts';

/** Audits the ledger after the start, while the server already runs. Faults are logged as errors. */
export const auditAtStart = ({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> =>
  auditLedger(db).then(
    (faults) => {
      if (faults.length > 0) log.error({ faults }, 'ledger audit found faults');
      else log.info('ledger audit passed');
    },
    (err) => log.warn({ err }, 'ledger audit failed'),
  );
