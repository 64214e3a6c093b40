import { expect, test } from 'vitest';
import { identifiersIn, retiredNames } from './check-names.mjs';

test('finds retired names in code, not in comments and texts', () => {
  const source = `// useDesk in a comment\nconst text = 'givePackages';\nconst page = useDesk();\n`;
  expect([...identifiersIn(source)]).not.toContain('givePackages');
  expect(retiredNames(['a.ts'], () => source)).toEqual(['a.ts: retired name useDesk']);
});

test('finds retired file names', () => {
  expect(retiredNames(['e2e/door.spec.ts'], () => '')).toEqual(['e2e/door.spec.ts: retired file name']);
});
