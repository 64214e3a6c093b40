/** For vi.waitFor, which ignores the configured time limits: a machine with other work to do is slower, not wrong. */
export const patience = { timeout: process.env.TEST_CITUS_URL ? 60_000 : 20_000, interval: 20 };
