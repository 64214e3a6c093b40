import { CallError, transportFailure } from './call.ts';
import { t } from './lang.ts';
import { notify, requestFailed } from './notify.tsx';

/** Fetches a part of the console before it is shown: one that does not arrive is said, and can be asked for again. */
export const preloadChunk = async (load: () => Promise<unknown>): Promise<void> => {
  try {
    await load();
  } catch {
    notify.error(t(requestFailed));
    throw new CallError(transportFailure, t(requestFailed), null);
  }
};
