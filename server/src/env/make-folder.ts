import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Like mkdir -p. The `recursive` option of Node never returns if a parent exists but cannot have subfolders, as in /proc. */
export const makeFolder = (folder: string): void => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
};
