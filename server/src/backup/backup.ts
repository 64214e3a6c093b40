import { parseArgs } from 'node:util';
import { callerPath, runCommand, UsageError } from './command.ts';
import { makeBackup } from './make-backup.ts';

const usage = `npm run backup -- FILE [--key KEYFILE]

  FILE           new archive (.tar.zst), or a folder, in which the archive is named by the time
  --key KEYFILE  also copy the secret key to this file; keep it apart from the archives

The server may run or not. Exit code: 0 done, 1 failed, 2 wrong arguments.`;

await runCommand(usage, async ({ dataDir, secretKey, hasFiles, signal, print }) => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { key: { type: 'string' } } });
  const [target, ...more] = positionals;
  if (target === undefined || more.length > 0) throw new UsageError('Name one file for the backup');
  const keyFile = values.key === undefined ? undefined : callerPath(values.key);
  const startedAt = Date.now();
  const { file, bytes } = await makeBackup({ dataDir, secretKey, hasFiles, signal, print, target: callerPath(target), keyFile });
  const lines = [`Backup written and verified: ${file} (${(bytes / 1e6).toFixed(1)} MB, ${Math.ceil((Date.now() - startedAt) / 1000)} s).`];
  lines.push(
    keyFile
      ? `Secret key: ${keyFile}. Keep it apart from the archive.`
      : 'The secret key is not in the archive: keep a copy of it elsewhere.',
  );
  if (!hasFiles) lines.push('The files are in the bucket of FILES_URL and not in the archive.');
  return lines.join('\n');
});
