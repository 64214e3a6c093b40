import { t } from '../chrome/lang.ts';
import { notify, requestFailed } from '../chrome/notify.tsx';
import { CallError, transportFailure } from './call.ts';

/** Loads a chunk before it is shown; a failure is shown and can be retried. */
export const preloadChunk = async (load: () => Promise<unknown>): Promise<void> => {
  try {
    await load();
  } catch {
    notify.error(t(requestFailed));
    throw new CallError(transportFailure, t(requestFailed), null);
  }
};
