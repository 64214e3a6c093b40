import { settings } from '../server/src/env/config.ts';

const all = Object.values(settings);
const width = Math.max(...all.map(({ name }) => name.length));

console.log('npm start   installs dependencies, builds the console, opens the database and serves on one port.');
console.log('npm run backup -- FILE    writes an archive of the embedded database and its files, also while the server runs.');
console.log('npm run restore -- FILE   restores such an archive into DATA_DIR (see docs/backup.md).\n');
console.log('Settings (environment variables):\n');
for (const { name, about, fallback } of all)
  console.log(`  ${name.padEnd(width)}  ${about}${fallback === undefined ? '' : ` (${fallback})`}.`);
