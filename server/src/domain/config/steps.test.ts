import { initialValues, readDocument, readDocumentInSteps, rowsOf } from '@farlink/gateway/kit/document.ts';
import { authLocalUser as users } from '@farlink/gateway/pages/auth/local-user.ts';
import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { describe, expect, test } from 'vitest';
import { openDoc, openInSteps, sealInSteps } from '../../config-doc/sealed.ts';
import { takeSteps } from '../../kit/jobs/take-steps.ts';
import { loggedChange, loggedChangeOfMany } from './differences.ts';
import { hashInSteps } from './hash-in-steps.ts';

const account = (i: number, more: JsonObject = {}): JsonObject => ({
  ...initialValues(users.fields),
  account: `crew${i}`,
  password: `Secret${i}`,
  allowed_logins: 1,
  ...more,
});
const listOf = (count: number, more?: (i: number) => JsonObject): JsonObject => ({
  rows: Array.from({ length: count }, (_, i) => account(i, more?.(i))),
});
const key = Buffer.alloc(32, 1);

describe('a long list processed in steps gives the same result as at once', () => {
  const sizes = [0, 1, 500, 501, 1234];

  test.each(sizes)('%i rows are read, hashed, sealed and opened', async (count) => {
    const doc = listOf(count);
    const read = await takeSteps(readDocumentInSteps(users, doc));
    expect(read).toEqual(readDocument(users, doc));
    expect(await takeSteps(hashInSteps(read.doc))).toBe(hashOf(read.doc));
    const sealed = await takeSteps(sealInSteps(users, read.doc, key));
    expect(JSON.stringify(sealed)).not.toContain('Secret');
    expect(await takeSteps(openInSteps(users, sealed, key))).toEqual(openDoc(users, sealed, key));
    expect(openDoc(users, sealed, key)).toEqual(read.doc);
  });

  test('problems keep their row numbers, and a repeated key is found across steps', async () => {
    const faulty = listOf(1200, (i): JsonObject => (i === 700 ? { account: '' } : i === 1100 ? { account: 'crew3' } : {}));
    const read = await takeSteps(readDocumentInSteps(users, faulty));
    expect(read).toEqual(readDocument(users, faulty));
    expect(read.problems.map(({ path }) => path)).toEqual(['rows[700].account', 'rows[1100].account']);
    const mixed = { rows: [...Array<JsonObject>(600).fill({}), 7] };
    expect(await takeSteps(readDocumentInSteps(users, mixed))).toEqual(readDocument(users, mixed));
  });

  test('changes are found across steps', async () => {
    const before = listOf(1300);
    const after: JsonObject = {
      rows: [account(5000), ...rowsOf(listOf(900, (i): JsonObject => (i % 100 === 0 ? { password: 'Other1' } : {})))],
    };
    const found = await loggedChangeOfMany(users, before, after);
    expect(found).toEqual(loggedChange(users, before, after));
    expect(Object.keys(found.after)).toHaveLength(1 + 9 + 400);
  });
});

test('20,000 accounts are processed without blocking the event loop for long', { tags: 'all', timeout: 60_000 }, async () => {
  const doc = listOf(20_000);
  const start = process.cpuUsage();
  let longest = 0;
  let running = true;
  let last = process.cpuUsage();
  const tick = () => {
    const { user } = process.cpuUsage(last);
    longest = Math.max(longest, user / 1000);
    last = process.cpuUsage();
    if (running) setImmediate(tick);
  };
  setImmediate(tick);
  const read = await takeSteps(readDocumentInSteps(users, doc));
  await takeSteps(hashInSteps(read.doc));
  await takeSteps(openInSteps(users, await takeSteps(sealInSteps(users, read.doc, key)), key));
  await loggedChangeOfMany(users, { rows: [] }, read.doc);
  running = false;
  // About 3% of the whole, 20 ms on an idle machine. One of the operations in a single step takes at least 9%.
  const total = process.cpuUsage(start).user / 1000;
  expect(longest).toBeLessThan(Math.max(250, total * 0.08));
});
