import { setImmediate } from 'node:timers/promises';

/** Works through the steps of a long computation; other requests run between two of them. */
export const takeSteps = async <T>(steps: Generator<void, T>): Promise<T> => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await setImmediate();
  }
};
