import type { Text } from '@farlink/contract/kit/text.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { Problem } from '@farlink/gateway/kit/problem.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { type SqlBool, sql } from 'kysely';
import { filesOf } from '../../config-doc/files.ts';
import type { SessionInfo } from '../../db/column-types.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';

/** Serializes adding and removing this content until the transaction ends. */
export const lockFile = (db: Db, key: string) => sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db);

const upload: Text = ['请重新上传文件', 'Please upload the file again'];

/** Uploaded by a VNO above or below the session's, or by itself. A file of the previous release has no owner. */
const isUsable = ({ agent_path }: SessionInfo) => sql<SqlBool>`(
  not exists (select from config_file_owner o where o.sha256 = f.sha256 and o.sealed = f.sealed)
  or exists (select from config_file_owner o join agent a on a.id = o.agent_id where o.sha256 = f.sha256 and o.sealed = f.sealed
    and (starts_with(a.path, ${agent_path}) or starts_with(${agent_path}, a.path))))`;

/** Files that a document refers to but that neither the console nor the gateway (by one of these documents) has for this session. */
export const missingFiles = async (
  { db, me }: Pick<Ctx, 'db' | 'me'>,
  page: GatewayPage,
  doc: JsonObject,
  known: readonly JsonObject[],
): Promise<Problem[]> => {
  const available = new Set(known.flatMap((one) => filesOf(page, one)).map(({ file }) => file.sha256));
  const referenced = filesOf(page, doc).filter(({ file }) => !available.has(file.sha256));
  if (referenced.length === 0) return [];
  const rows = await db
    .selectFrom('config_file as f')
    .select(['f.sha256', 'f.sealed', 'f.size'])
    .where('f.sha256', 'in', [...new Set(referenced.map(({ file }) => file.sha256))])
    .where(isUsable(me))
    .execute();
  const stored = new Set(rows.map(({ sha256, sealed, size }) => `${sha256} ${sealed} ${size}`));
  return referenced.flatMap(({ path, file, secret }) =>
    stored.has(`${file.sha256} ${secret} ${file.size}`) ? [] : [{ path, text: upload }],
  );
};
