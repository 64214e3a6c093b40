import { t } from '../chrome/lang.ts';
import { notify, requestFailed } from '../chrome/notify.tsx';
import { CallError, transportFailure } from './call.ts';

/** Fetches a part of the console before it is shown: one that does not arrive is said, and can be asked for again. */
export const preloadChunk = async (load: () => Promise<unknown>): Promise<void> => {
  try {
    await load();
  } catch {
    notify.error(t(requestFailed));
    throw new CallError(transportFailure, t(requestFailed), null);
  }
};
