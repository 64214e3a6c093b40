import { expect, test } from 'vitest';
import { testsOf } from './changed.mjs';

const imports = new Map([
  ['contract/src/user/add.ts', []],
  ['contract/src/user/add.test.ts', ['contract/src/user/add.ts']],
  ['server/src/modules/user/open.ts', ['contract/src/user/add.ts']],
  ['server/src/modules/user/open.test.ts', []],
  ['server/src/modules/card/card.test.ts', []],
  ['server/test/walk-input.test.ts', []],
  ['web/src/pages/user/user.tsx', ['web/src/kit/money.ts']],
  ['web/src/kit/money.ts', []],
  ['e2e/user.spec.ts', ['e2e/support/login.ts']],
  ['e2e/card.spec.ts', ['e2e/support/login.ts']],
  ['e2e/support/login.ts', []],
]);

test('a change of a declaration reaches its tests, those of its module and the walk over all calls', () => {
  expect(testsOf(['contract/src/user/add.ts'], imports)).toEqual({
    unit: ['contract/src/user/add.test.ts', 'server/src/modules/user/open.test.ts', 'server/test/walk-input.test.ts'],
    stories: [],
  });
});

test('a change of what a page imports reaches the story of the page', () => {
  expect(testsOf(['web/src/kit/money.ts'], imports)).toEqual({ unit: [], stories: ['e2e/user.spec.ts'] });
});

test('a change of what stories import reaches these stories', () => {
  expect(testsOf(['e2e/support/login.ts'], imports).stories).toEqual(['e2e/user.spec.ts', 'e2e/card.spec.ts']);
});

test('what very many files import reaches only the tests beside it', () => {
  const many = new Map(imports);
  for (let i = 0; i < 50; i++) many.set(`server/src/modules/vno/part${i}.test.ts`, ['server/src/kit/time.ts']);
  many.set('server/src/kit/time.ts', []).set('server/src/kit/time.test.ts', []);
  expect(testsOf(['server/src/kit/time.ts'], many).unit).toEqual(['server/test/walk-input.test.ts', 'server/src/kit/time.test.ts']);
});
