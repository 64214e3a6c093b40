import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Each week of each table is made on all workers. */
const onCitus = Boolean(process.env.TEST_CITUS_URL);

const project = (
  name: string,
  { alias, ...more }: { globalSetup?: string[]; include?: string[]; alias?: { find: RegExp; replacement: string }[] } = {},
) => ({
  ...(alias && { resolve: { alias } }),
  test: {
    name,
    root: name,
    environment: 'node' as const,
    include: ['**/*.test.{ts,tsx}'],
    testTimeout: onCitus ? 600_000 : 60_000,
    // A machine with other work to do is slower, not wrong.
    expect: { poll: { timeout: onCitus ? 60_000 : 20_000, interval: 20 } },
    hookTimeout: onCitus ? 600_000 : 120_000,
    restoreMocks: true,
    // The files of a worker share its modules, because loading them takes longer than most tests: a module keeps no state of a test.
    isolate: false,
    ...more,
  },
});

/** A password of a test costs 0.2 ms instead of 34. Started servers use the real cost. */
const cheapPasswords = {
  find: /^@node-rs\/argon2$/,
  replacement: fileURLToPath(new URL('server/test/setup/cheap-argon2.ts', import.meta.url)),
};

export default defineConfig({
  test: {
    maxWorkers: 3,
    tags: [{ name: 'all', description: 'Runs only in `npm test -- --all`: kills programs, repeats at random, or needs much data.' }],
    projects: [
      project('contract'),
      project('gateway'),
      project('portal'),
      project('simulator'),
      project('server', { globalSetup: ['test/setup/global.ts'], alias: [cheapPasswords] }),
      project('web'),
      project('bench'),
      project('scripts', { include: ['*.test.mjs'] }),
    ],
  },
});
