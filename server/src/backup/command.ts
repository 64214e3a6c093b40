import { resolve } from 'node:path';
import { settings } from '../env/config.ts';
import { reasonOf, StartError } from '../env/start-error.ts';
import { ArchiveError } from './archive.ts';

/** Exit codes of both commands. */
export const exitCodes = { done: 0, failed: 1, wrongArguments: 2, archiveRefused: 3 } as const;

export class UsageError extends Error {}

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Settings of the installation. Only those that matter are read, and nothing is created. */
const readInstallation = () => {
  const { dataDir, databaseUrl, secretKey, filesUrl } = settings;
  const faults = [dataDir, databaseUrl, secretKey, filesUrl].flatMap((setting) => setting.fault(process.env));
  if (faults.length > 0) throw new StartError(faults.join('\n'));
  if (databaseUrl.in(process.env) !== undefined)
    throw new StartError('DATABASE_URL is set: back up and restore that PostgreSQL with its own tools (docs/backup.md).');
  return {
    dataDir: resolve(dataDir.in(process.env)),
    secretKey: secretKey.in(process.env),
    hasFiles: filesUrl.in(process.env) === undefined,
  };
};

/** npm runs commands in the folder of the project; paths are relative to the folder of the caller. */
export const callerPath = (path: string) => resolve(process.env.INIT_CWD ?? '.', path);

export type Installation = ReturnType<typeof readInstallation>;
export interface Running extends Installation {
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

/** Runs a command and ends the process with its exit code. The first signal stops it cleanly, the second at once. */
export const runCommand = async (usage: string, work: (running: Running) => Promise<string>) => {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => (controller.signal.aborted ? process.exit(exitCodes.failed) : controller.abort()));
  try {
    print(await work({ ...readInstallation(), signal: controller.signal, print }));
    process.exit(exitCodes.done);
  } catch (error) {
    const isUsage =
      error instanceof UsageError || (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
    const isKnown = isUsage || error instanceof StartError;
    process.stderr.write(
      `${isKnown || !(error instanceof Error) ? reasonOf(error) + (isKnown ? '.' : '') : error.stack}\n${isUsage ? `${usage}\n` : ''}`,
    );
    process.exit(isUsage ? exitCodes.wrongArguments : error instanceof ArchiveError ? exitCodes.archiveRefused : exitCodes.failed);
  }
};
