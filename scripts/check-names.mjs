import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The replaced names that were used most; each has a word of the trade in its place. */
const retired = new Set([
  'Answer',
  'Answers',
  'Asked',
  'Deed',
  'deeds',
  'desk',
  'Doer',
  'door',
  'Door',
  'FieldStage',
  'FileAnswer',
  'followers',
  'freshGateway',
  'greet',
  'judge',
  'judged',
  'lies',
  'look',
  'looks',
  'makeShop',
  'nobody',
  'noteChange',
  'obscure',
  'placeOf',
  'reach',
  'readAnswer',
  'said',
  'Said',
  'scene',
  'Scene',
  'shop',
  'Shop',
  'sight',
  'sitAt',
  'standing',
  'StateBox',
  'told',
  'truth',
  'useDesk',
  'voyage',
  'works',
]);

/** Comments, texts and regular expressions may use any word. Expressions inside template literals are not checked either. */
const quoted = /\/\*[\s\S]*?\*\/|(?<![:\w])\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/** @param {string} source */
export const identifiersIn = (source) => new Set(source.replace(quoted, ' ').match(/#?[A-Za-z_$][\w$]*/g) ?? []);

/**
 * @param {readonly string[]} files
 * @param {(file: string) => string} read
 * @returns {string[]}
 */
export const retiredNames = (files, read) =>
  files.flatMap((file) =>
    [...identifiersIn(read(file))].filter((name) => retired.has(name)).map((name) => `${file}: retired name ${name}`),
  );

const main = () => {
  // Column names stay, so the generated table types are not checked.
  const exclude = ['**/node_modules', 'web/dist', 'data', 'server/src/db/tables.ts'];
  const files = globSync('*/**/*.{ts,tsx,mjs}', { cwd: root, exclude });
  const names = files.map((file) => file.replaceAll('\\', '/'));
  const found = retiredNames(names, (file) => readFileSync(join(root, file), 'utf8'));
  for (const line of found) process.stdout.write(`${line}\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
