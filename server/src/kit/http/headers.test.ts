import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { themeScriptHash } from './headers.ts';

it('the policy permits the inline scripts of the console, and no other', () => {
  const html = readFileSync(new URL('../../../../web/index.html', import.meta.url), 'utf8');
  const hashes = [...html.matchAll(/<script>([^<]*)<\/script>/g)].map(
    ([, script = '']) => `sha256-${createHash('sha256').update(script).digest('base64')}`,
  );
  expect(hashes).toEqual([themeScriptHash]);
});
