/** spec §9: three parts of at most two digits; `3.2.1` and `03.02.01` are equal. */
const versionPattern = /^(\d{1,2})\.(\d{1,2})\.(\d{1,2})$/;

/** A sortable number; undefined: not a version. The database has the same function `version_key`. */
export const versionKey = (version: unknown): number | undefined => {
  const found = typeof version === 'string' ? versionPattern.exec(version) : null;
  if (!found) return undefined;
  const [, major, minor, patch] = found;
  return Number(major) * 10_000 + Number(minor) * 100 + Number(patch);
};

/** Also false if either is not a version. */
export const isNewer = (version: unknown, than: unknown): boolean => {
  const a = versionKey(version);
  const b = versionKey(than);
  return a !== undefined && b !== undefined && a > b;
};

/** Stored form: two digits in each part, so that it also sorts as text. */
export const fullVersion = (version: string): string =>
  version
    .split('.')
    .map((part) => part.padStart(2, '0'))
    .join('.');
