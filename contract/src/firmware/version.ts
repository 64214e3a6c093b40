/** spec §9: three parts of at most two digits; `3.2.1` and `03.02.01` are the same version. */
const parts = /^(\d{1,2})\.(\d{1,2})\.(\d{1,2})$/;

/** A number that sorts as the version does; undefined where it is none. The database has the same as `version_key`. */
export const versionKey = (version: unknown): number | undefined => {
  const found = typeof version === 'string' ? parts.exec(version) : null;
  if (!found) return undefined;
  const [, major, minor, patch] = found;
  return Number(major) * 10_000 + Number(minor) * 100 + Number(patch);
};

/** False as well where either is no version. */
export const isNewer = (version: unknown, than: unknown): boolean => {
  const [a, b] = [versionKey(version), versionKey(than)];
  return a !== undefined && b !== undefined && a > b;
};

/** As it is kept and sent: two digits in each part, so that it also sorts as a text. */
export const fullVersion = (version: string): string =>
  version
    .split('.')
    .map((part) => part.padStart(2, '0'))
    .join('.');
