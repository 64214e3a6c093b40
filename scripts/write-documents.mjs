// Writes the generated documents; with --check it only names those that are not current.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagesPage } from './pages-page.mjs';
import { main, root, StepError } from './run.mjs';
import { chineseSettingsPage, settingsPage } from './settings-page.mjs';

await main(async () => {
  const documents = {
    'docs/settings.md': settingsPage(),
    'docs/zh/settings.md': chineseSettingsPage(),
    'docs/pages.md': await pagesPage(),
  };
  if (process.argv.includes('--check')) {
    const old = Object.entries(documents).filter(([path, text]) => readFileSync(join(root, path), 'utf8') !== text);
    if (old.length > 0) throw new StepError(`Run npm run documents: ${old.map(([path]) => path).join(' and ')} is not current.`);
  } else for (const [path, text] of Object.entries(documents)) writeFileSync(join(root, path), text);
  return 0;
});
