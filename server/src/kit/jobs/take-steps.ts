import { setImmediate } from 'node:timers/promises';

/** Runs a long computation in steps; other requests run between two steps. */
export const takeSteps = async <T>(steps: Generator<void, T>): Promise<T> => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await setImmediate();
  }
};
