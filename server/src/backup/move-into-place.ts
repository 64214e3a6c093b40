import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unfinishedRestore } from '../db/embedded.ts';
import { runningPostmaster } from '../db/postmaster.ts';
import { StartError } from '../env/start-error.ts';

const previousName = 'before-restore-';

/**
 * A restore keeps the checkpoint of the audit log. It shows that the log went back, so sealing stops until an operator records the restore.
 */
const staysInPlace = (name: string) => name === 'audit-checkpoint.txt' || name === 'lost+found' || name.startsWith(previousName);

export const clusterIn = (dataDir: string) => join(dataDir, 'postgres', 'cluster');

/** A new machine may get its key and checkpoint before the restore. */
export const refuseContent = (dataDir: string, names: readonly string[]) => {
  const found = names.find((name) => !staysInPlace(name) && name !== 'secret.key');
  if (found !== undefined)
    throw new StartError(`${dataDir} is not empty (it contains ${found}): set DATA_DIR to an empty folder, or add --replace.`);
};

const move = async (names: readonly string[], from: string, to: string) => {
  for (const name of names) await rename(join(from, name), join(to, name));
};

/** True if both files have the same key: a key that was copied before the restore is not moved aside. */
const isSameFile = async (one: string, other: string) =>
  existsSync(one) && existsSync(other) && (await readFile(one, 'utf8')).trim() === (await readFile(other, 'utf8')).trim();

/** From here on no server starts in this folder. One that started during the unpacking refuses the restore. */
const refuseServers = async (dataDir: string, draft: string, replace: boolean): Promise<string> => {
  const markFile = join(dataDir, unfinishedRestore);
  await writeFile(markFile, '', { mode: 0o600 });
  try {
    if (runningPostmaster(clusterIn(dataDir))) throw new StartError(`A Farlink server runs on ${dataDir}: stop it before a restore.`);
    const ownPaths = [draft, markFile];
    if (!replace)
      refuseContent(
        dataDir,
        (await readdir(dataDir)).filter((name) => !ownPaths.includes(join(dataDir, name))),
      );
  } catch (error) {
    await rm(markFile);
    throw error;
  }
  return markFile;
};

/**
 * Moves the present content aside and the restored one into place, within one file system. While it works, a mark refuses the start of a
 * server, so a crash in between cannot look like an empty installation.
 */
export const moveIntoPlace = async (dataDir: string, draft: string, replace: boolean): Promise<string | undefined> => {
  const markFile = await refuseServers(dataDir, draft, replace);
  const hasKey = await isSameFile(join(dataDir, 'secret.key'), join(draft, 'secret.key'));
  const ownPaths = [draft, markFile];
  const isOld = (name: string) => !staysInPlace(name) && !ownPaths.includes(join(dataDir, name)) && !(hasKey && name === 'secret.key');
  const old = (await readdir(dataDir)).filter(isOld);
  const previous = join(dataDir, `${previousName}${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`);
  if (old.length > 0) {
    await mkdir(previous, { mode: 0o700 });
    await move(old, dataDir, previous);
  }
  const restored = (await readdir(draft)).filter((name) => !(staysInPlace(name) && existsSync(join(dataDir, name))));
  await move(restored, draft, dataDir);
  await rm(markFile);
  return old.length > 0 ? previous : undefined;
};
