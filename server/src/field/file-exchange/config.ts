import { buffer } from 'node:stream/consumers';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { openDoc } from '../../config-doc/sealed.ts';
import type { Deps } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import type { FileStore } from '../../kit/files/file-store.ts';
import { open } from '../../kit/session/secret.ts';
import type { SecretToken, SectionToken } from '../../orders/file-exchange-token.ts';
import { type Content, wholeContent } from './download.ts';

/** Configuration files and sections that are stored sealed and decrypted only for the gateway they belong to. */

export const openedFile = async ({ config }: Pick<Deps, 'config'>, store: FileStore, { key, sha256 }: SecretToken): Promise<Content> => {
  const sealed = await buffer(await store.get(key));
  return wholeContent(Buffer.from(open(config.secretKey, sealed.toString('latin1')), 'base64'), sha256);
};

export const openedSection = async (
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { device, section, rev }: SectionToken,
): Promise<Content> => {
  const row = await db
    .selectFrom('config_revision')
    .select(['doc', 'hash'])
    .where('device_id', '=', device)
    .where('section', '=', section)
    .where('rev', '=', rev)
    .executeTakeFirst();
  const page = gatewayPages.get(section);
  if (!row || !page) throw fail('not_found');
  return wholeContent(Buffer.from(JSON.stringify(openDoc(page, row.doc, config.secretKey))), row.hash);
};
