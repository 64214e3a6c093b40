import { createHash } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import type { Config } from '../../env/config.ts';

/** Copies of the newest checkpoint outside the database. They reveal a restore of an older database. */
export interface OutsideCopy {
  /** Undefined: there is none yet. */
  read(): Promise<string | undefined>;
  write(checkpoint: string): Promise<void>;
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const fileName = 'audit-checkpoint.txt';

/** A file in the data folder. It is replaced in one step, so it is never half written. */
export const fileCopy = ({ dataDir }: Pick<Config, 'dataDir'>): OutsideCopy => ({
  read: () =>
    readFile(join(dataDir, fileName), 'utf8').catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    }),
  write: async (checkpoint) => {
    const path = join(dataDir, `${fileName}.new`);
    const file = await open(path, 'w', 0o600);
    try {
      await file.writeFile(checkpoint);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(path, join(dataDir, fileName));
  },
});

const timeoutMs = 30_000;

/** An S3-compatible bucket. With object lock each copy stays as a version of one object. Undefined: not configured. */
export const bucketCopy = ({ audit }: Pick<Config, 'audit'>): OutsideCopy | undefined => {
  const { anchorUrl, accessKey, secretKey, region } = audit;
  if (!anchorUrl) return undefined;
  const client = new AwsClient({ accessKeyId: accessKey, secretAccessKey: secretKey, service: 's3', region, retries: 0 });
  const address = `${anchorUrl.replace(/\/$/, '')}/${fileName}`;
  const call = async (init: RequestInit) => {
    const response = await client.fetch(address, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    const text = await response.text();
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`the bucket of checkpoints returned ${response.status}`);
    return text;
  };
  return {
    read: () => call({ method: 'GET' }),
    write: async (checkpoint) => {
      // Buckets with object lock require a checksum of the body.
      const headers = { 'content-md5': createHash('md5').update(checkpoint).digest('base64'), 'content-type': 'text/plain' };
      const response = await call({ method: 'PUT', body: checkpoint, headers });
      if (response === undefined) throw new Error('the bucket of checkpoints does not exist');
    },
  };
};
