import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './run.mjs';
import { settingsPage } from './settings-table.mjs';

test('docs/settings.md lists all settings of the server (npm run settings writes it)', () => {
  expect(readFileSync(join(root, 'docs/settings.md'), 'utf8')).toBe(settingsPage());
});
