// Commands of bin/farlink. Each is a script of package.json, run with the Node of the archive.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { main, pinnedNode, printLine, root, run, StepError } from './run.mjs';

/**
 * `files`: arguments are paths, relative to the folder of the caller.
 * @type {Record<string, { about: string, files?: boolean }>}
 */
const commands = {
  start: { about: 'starts the server and restarts it after a crash; SIMULATE=off starts no simulated gateways' },
  backup: { about: 'FILE: online backup of database and files', files: true },
  restore: { about: 'FILE: restores a backup', files: true },
  spread: { about: 'distributes the large tables over the workers of a Citus cluster' },
  verify: { about: 'FILE [--known CHECKPOINT]: verifies an export of audit data', files: true },
  'rebuild-traffic': { about: 'computes traffic per hour and day again from the reports' },
  simulate: { about: 'runs simulated gateways; see simulate --help' },
};

const builtIn = { version: { about: 'version and commit' }, help: { about: 'this text' } };

/** @returns {{ version: string, scripts: Record<string, string> }} */
const manifest = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** File and first arguments of a script of package.json. @param {string} script */
const argumentsOf = (script) => (script.startsWith('node ') ? script.split(' ').slice(1) : []);

const help = async () => {
  const { scripts } = manifest();
  const known = Object.entries(commands).filter(([name]) => scripts[name]);
  const { settings } = await import('../server/src/env/config.ts');
  const lines = [
    'farlink [--env FILE] COMMAND\n',
    ...[...known, ...Object.entries(builtIn)].map(([name, { about }]) => `  ${name.padEnd(16)}  ${about}`),
    '\n--env FILE reads settings from a file with lines NAME=value.\n\nSettings (environment variables):\n',
    ...Object.values(settings).map(({ name, about, fallback }) => `  ${name}: ${about}${fallback === undefined ? '' : ` (${fallback})`}.`),
  ];
  printLine(lines.join('\n'));
  return 0;
};

const version = () => {
  const file = join(root, 'RELEASE.json');
  printLine(existsSync(file) ? readFileSync(file, 'utf8').trim() : manifest().version);
  return 0;
};

/** @param {string[]} args @returns {string[]} */
const withoutEnv = (args) => {
  const [first, file, ...rest] = args;
  if (first !== '--env') return args;
  try {
    process.loadEnvFile(file);
  } catch {
    throw new StepError(`The settings in ${file ?? '(no file)'} cannot be read.`);
  }
  return rest;
};

/** The supervisor runs in this process. @param {string} file @param {string[]} args */
const runHere = async (file, args) => {
  process.chdir(root);
  process.argv = [process.execPath, join(root, file), ...args];
  await import(pathToFileURL(join(root, file)).href);
  return Number(process.exitCode ?? 0);
};

/** @param {string} name @param {string[]} args */
const runCommand = (name, args) => {
  const command = commands[name];
  const [file, ...first] = argumentsOf(manifest().scripts[name] ?? '');
  if (!command || !file) throw new StepError(`Unknown command ${name}: farlink help lists the commands.`);
  if (name === 'start') return runHere(file, [...first, ...args]);
  const caller = process.cwd();
  const paths = args.map((arg) => (command.files && !arg.startsWith('-') ? resolve(caller, arg) : arg));
  return run(pinnedNode, [file, ...first, ...paths], { env: { ...process.env, INIT_CWD: caller } });
};

await main(async () => {
  const [name = 'help', ...args] = withoutEnv(process.argv.slice(2));
  if (['help', '--help', '-h'].includes(name)) return help();
  if (['version', '--version', '-v'].includes(name)) return version();
  return runCommand(name, args);
});
