import { expect, test } from 'vitest';
import { identifiersIn, retiredNames } from './check-names.mjs';

test('finds retired names in code, not in comments and texts', () => {
  const source = `// useDesk in a comment\nconst text = 'makeShop';\nconst page = useDesk();\n`;
  expect([...identifiersIn(source)]).not.toContain('makeShop');
  expect(retiredNames(['a.ts'], () => source)).toEqual(['a.ts: retired name useDesk']);
});
