import { expect, test } from 'vitest';
import { createLog } from './log.ts';

const linesOf = (level: string, work: (log: ReturnType<typeof createLog>) => void) => {
  const lines: string[] = [];
  work(createLog(level, { write: (line) => lines.push(line) }));
  return lines.map((line): Record<string, unknown> => JSON.parse(line));
};

test('a log line is a JSON object with only level name, time, fields and message', () => {
  const [line] = linesOf('info', (log) => log.info({ request_id: 'r1' }, 'served'));
  expect(line).toEqual({ level: 'info', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), request_id: 'r1', msg: 'served' });
});

test('a secret is hidden wherever its name occurs', () => {
  const [line] = linesOf('info', (log) =>
    log.info({ password: 'hunter2', body: { token: 'hunter2' }, request: { headers: { cookie: 'hunter2' } } }, 'x'),
  );
  expect(JSON.stringify(line)).not.toContain('hunter2');
});

test('a request is logged without its query', () => {
  const req = { method: 'GET', url: '/login?remoteData=hunter2', host: 'farlink', ip: '::1' };
  const [line] = linesOf('info', (log) => log.info({ req }, 'incoming request'));
  expect(line?.req).toEqual({ method: 'GET', url: '/login', host: 'farlink', remoteAddress: '::1' });
});

test('a message below the log level is not written', () => {
  expect(linesOf('warn', (log) => log.info('quiet'))).toEqual([]);
});
