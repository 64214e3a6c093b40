import { defineConfig } from 'vitest/config';

/** Each week of each table is made on all workers. */
const onCitus = Boolean(process.env.TEST_CITUS_URL);

const project = (name: string, more: { globalSetup?: string[]; include?: string[]; isolate?: boolean } = {}) => ({
  test: {
    name,
    root: name,
    environment: 'node' as const,
    include: ['**/*.test.{ts,tsx}'],
    testTimeout: onCitus ? 600_000 : 60_000,
    // A machine with other work to do is slower, not wrong.
    expect: { poll: { timeout: onCitus ? 60_000 : 20_000 } },
    hookTimeout: onCitus ? 600_000 : 120_000,
    restoreMocks: true,
    ...more,
  },
});

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project('contract'),
      project('gateway'),
      project('portal'),
      project('simulator'),
      // The files of a worker share its modules, for reading the whole server costs each a second: what one keeps belongs to a server,
      // and not to the process.
      project('server', { globalSetup: ['test/setup/global.ts'], isolate: false }),
      project('web'),
      project('bench'),
      project('scripts', { include: ['*.test.mjs'] }),
    ],
  },
});
