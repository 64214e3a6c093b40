import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Like mkdir -p. Node's own `recursive` never returns where a parent exists and takes no children, as /proc does. */
export const makeFolder = (folder: string): void => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
};
