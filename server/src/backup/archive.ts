import { isRecord } from '@farlink/contract/kit/values.ts';
import { StartError } from '../env/start-error.ts';

/**
 * An archive is a tar compressed by zstd: first the description, then the files at their paths below DATA_DIR, last the SHA-256 of each
 * file. A name may occur twice: the later content counts.
 */
export const descriptionName = 'farlink-backup.json';
export const sumsName = 'SHA256SUMS';
export const archiveEnding = '.tar.zst';

/** Raised when older versions cannot read the archives of this one. */
const currentFormat = 1;

export const thisPlatform = `${process.platform}-${process.arch}`;

export interface Description {
  readonly made_at: string;
  /** A physical copy fits only the same major version of PostgreSQL, operating system and processor. */
  readonly postgres: string;
  readonly platform: string;
  readonly migrations: readonly string[];
  /** Identifies the secret key without revealing it. null: the server never started. */
  readonly key_mark: string | null;
  /** false: the files are in a bucket, not in the archive. */
  readonly has_files: boolean;
}

/** No absolute path, no `..`, no characters with a special meaning: names of PostgreSQL and keys of the file store. */
export const isPlainPath = (name: string) =>
  /^[\w.-]+(\/[\w.-]+)*$/.test(name) && !name.split('/').some((part) => part === '..' || part === '.');

/** The archive cannot be used: damaged, foreign, too new, or for another key. */
export class ArchiveError extends StartError {}

export const writeDescription = (description: Description): string =>
  `${JSON.stringify({ product: 'farlink', format: currentFormat, ...description }, null, 2)}\n`;

const isText = (value: unknown): value is string => typeof value === 'string';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const readDescription = (text: string, file: string): Description => {
  const read = parsed(text);
  if (!isRecord(read) || read.product !== 'farlink' || typeof read.format !== 'number')
    throw new ArchiveError(`${file} is not a backup of Farlink.`);
  if (read.format > currentFormat) throw new ArchiveError(`${file} was made by a newer version of Farlink: restore it with that version.`);
  const { made_at, postgres, platform, migrations, key_mark, has_files } = read;
  const isComplete = isText(made_at) && isText(postgres) && isText(platform) && Array.isArray(migrations) && typeof has_files === 'boolean';
  if (!isComplete || !(isText(key_mark) || key_mark === null))
    throw new ArchiveError(`${file} is damaged: its description is not complete.`);
  return { made_at, postgres, platform, migrations: migrations.filter(isText), key_mark, has_files };
};
