import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';
import { settingsPage } from './settings-table.mjs';

writeFileSync(join(root, 'docs/settings.md'), settingsPage());
