import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** @type {{ identifiers: string[], files: string[] }} */
const retired = JSON.parse(readFileSync(join(root, 'scripts/retired-names.json'), 'utf8'));

/** Comments, texts and regular expressions may use any word. Expressions inside template literals are not checked either. */
const quoted = /\/\*[\s\S]*?\*\/|(?<![:\w])\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/** @param {string} source */
export const identifiersIn = (source) => new Set(source.replace(quoted, ' ').match(/#?[A-Za-z_$][\w$]*/g) ?? []);

/**
 * Names that were replaced and must not come back.
 * @param {readonly string[]} files
 * @param {(file: string) => string} read
 * @returns {string[]}
 */
export const retiredNames = (files, read) => {
  const names = new Set(retired.identifiers);
  return files.flatMap((file) => [
    ...(retired.files.includes(file) ? [`${file}: retired file name`] : []),
    ...[...identifiersIn(read(file))].filter((name) => names.has(name)).map((name) => `${file}: retired name ${name}`),
  ]);
};

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
