import { parseArgs } from 'node:util';
import { callerPath, runCommand, UsageError } from './command.ts';
import { verifyArchive } from './read-archive.ts';
import { restoreBackup } from './restore-backup.ts';

const usage = `npm run restore -- FILE [--key KEYFILE] [--replace]
npm run restore -- FILE --check

  FILE           archive of npm run backup
  --key KEYFILE  file with the secret key; default: SECRET_KEY, else DATA_DIR/secret.key
  --replace      move the present content of DATA_DIR to DATA_DIR/before-restore-TIME
  --check        only read the archive and compare its checksums

The server must not run. Exit code: 0 done, 1 failed, 2 wrong arguments, 3 archive refused (damaged, foreign, too new, wrong key).`;

const options = { key: { type: 'string' }, replace: { type: 'boolean' }, check: { type: 'boolean' } } as const;

await runCommand(usage, async ({ dataDir, secretKey, signal, print }) => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UsageError('Name one archive');
  const file = callerPath(name);
  if (values.check) {
    const { made_at } = await verifyArchive(file, signal);
    return `${file} is complete. It was made at ${made_at}.`;
  }
  const keyFile = values.key === undefined ? undefined : callerPath(values.key);
  const { description, previous } = await restoreBackup({
    dataDir,
    secretKey,
    signal,
    print,
    file,
    keyFile,
    replace: values.replace ?? false,
  });
  const lines = [`${dataDir} has the state of ${description.made_at}. Start the server with npm start.`];
  if (previous) lines.push(`The previous content is in ${previous}: remove it when you do not need it any more.`);
  if (!description.has_files) lines.push('The files are in the bucket of FILES_URL and were not restored.');
  return lines.join('\n');
});
