import { expect, test } from 'vitest';
import { cyclesOf, folderCircles, importsOf, wrongImports } from './check-imports.mjs';

test('reads value, type, dynamic and package imports', () => {
  const text = [
    "import { a } from './a.ts';",
    "import type { B } from '../b.ts';",
    "export { c } from '@farlink/contract/kit/text.ts';",
    "const d = await import('./d.ts');",
    "import './e.css';",
  ].join('\n');
  const found = ['server/src/kit/a.ts', 'server/src/b.ts', 'contract/src/kit/text.ts', 'server/src/kit/d.ts', 'server/src/kit/e.css'];
  expect(importsOf('server/src/kit/x.ts', text)).toEqual(found);
});

test('finds a cycle of any length and a file that imports itself', () => {
  const imports = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['a', 'd']],
    ['d', []],
    ['e', ['e']],
  ]);
  expect(cyclesOf(imports)).toEqual([['a', 'b', 'c'], ['e']]);
});

test.each([
  ['server/src/db/x.ts', 'server/src/kit/ctx.ts'],
  ['server/src/domain/x.ts', 'server/src/field/y.ts'],
  ['server/src/field/x.ts', 'server/src/modules/user/y.ts'],
  ['server/src/modules/user/x.ts', 'server/src/modules/card/y.ts'],
  ['server/src/modules/user/x.ts', 'server/src/app.ts'],
  ['server/src/kit/x.ts', 'web/src/kit/y.ts'],
  ['web/src/ui/native/x.tsx', 'web/src/kit/y.ts'],
  ['web/src/kit/x.tsx', 'antd'],
  ['web/src/kit/list/x.tsx', 'web/src/ui/antd/select.tsx'],
  ['contract/src/kit/x.ts', 'node:fs'],
  ['simulator/src/x.ts', 'contract/src/device/y.ts'],
])('refuses that %s imports %s', (from, to) => {
  expect(wrongImports(new Map([[from, [to]]]))).toHaveLength(1);
});

test.each([
  ['server/src/field/x.ts', 'server/src/domain/y.ts'],
  ['server/src/modules/user/x.ts', 'server/src/modules/user/opening/y.ts'],
  ['server/src/main.ts', 'server/src/modules/user/index.ts'],
  ['server/src/env/config.ts', 'server/src/env/setting.ts'],
  ['server/src/field/x.test.ts', 'simulator/src/client.ts'],
  ['web/src/ui/antd/x.tsx', 'antd'],
  ['web/src/kit/list/x.tsx', 'web/src/ui/antd/lazy-select.tsx'],
  ['simulator/src/x.ts', 'contract/src/kit/text.ts'],
])('accepts that %s imports %s', (from, to) => {
  expect(wrongImports(new Map([[from, [to]]]))).toEqual([]);
});

test('folders that use each other in a circle are refused, also over a third one', () => {
  const imports = new Map([
    ['server/src/domain/card/a.ts', ['server/src/domain/ledger/b.ts', 'server/src/domain/start.ts']],
    ['server/src/domain/ledger/b.ts', ['server/src/domain/sale/c.ts']],
    ['server/src/domain/sale/c.ts', ['server/src/domain/card/a.ts']],
    ['server/src/domain/sale/c.test.ts', ['server/src/domain/vno/d.ts']],
    ['server/src/domain/vno/d.ts', ['server/src/domain/sale/c.ts']],
    ['server/src/domain/start.ts', ['server/src/domain/card/a.ts']],
  ]);
  expect(folderCircles(imports)).toEqual(['circle of folders in server/src/domain: card - ledger - sale']);
});
