import { readFileSync } from 'node:fs';
import { isRecord } from '@farlink/contract/kit/values.ts';

/** Version of this build, from the package. */
export const versionOf = (): string => {
  const found: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return isRecord(found) && typeof found.version === 'string' ? found.version : 'unknown';
};
