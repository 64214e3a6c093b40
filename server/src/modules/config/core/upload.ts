import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { configCalls as calls } from '@farlink/contract/config/config.ts';
import type { Field, Fields } from '@farlink/contract/kit/field.ts';
import { defaultPasswordRule } from '@farlink/contract/kit/password-rule.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { fileKey } from '../../../config-doc/files.ts';
import { requirePage } from '../../../domain/config/access.ts';
import { lockFile } from '../../../domain/config/stored-files.ts';
import { calledOf, findTarget, subjectOf } from '../../../domain/config/target.ts';
import { fail, failAt } from '../../../kit/fail.ts';
import { openFileStore } from '../../../kit/files/open-file-store.ts';
import { isUpload } from '../../../kit/files/upload.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { record } from '../../../kit/log/record.ts';
import { seal } from '../../../kit/session/secret.ts';

const noFile: Text = ['请选择文件', 'Please select a file'];

/** Finds a field such as `cert_file`, or `servers.key_file` in rows; row numbers are ignored. */
const fieldAt = (fields: Fields, path: string): Field | undefined => {
  const [name = '', ...rest] = path
    .replace(/\[\d+\]/g, '')
    .replace(/^rows\./, '')
    .split('.');
  const field = fields[name];
  return rest.length === 0 ? field : field?.items && fieldAt(field.items, rest.join('.'));
};

/** Stores the content under its hash, sealed if it is a secret. Documents refer to it by the returned value. */
export const uploadFile: Handler<typeof calls.file> = async (ctx, input) => {
  const device = input.device_id ? await findTarget(ctx, input.device_id) : undefined;
  const page = requirePage(ctx.me, input.page, 'write');
  const field = fieldAt(page.fields, input.field);
  if (field?.kind !== 'file') throw fail('not_found');
  if (!isUpload(input.file)) throw failAt('file', noFile);
  const { path, name, size, sha256 } = input.file;
  const value = { name, size, sha256 };
  const env = { passwordRule: defaultPasswordRule };
  const broken = field.rules.find((rule) => !rule.test(value, {}, env));
  if (broken) throw failAt('file', typeof broken.text === 'function' ? broken.text(env) : broken.text);
  const secret = field.secret === true;
  const store = openFileStore(ctx.deps.config);
  const key = fileKey(sha256, secret);
  await lockFile(ctx.db, key);
  if (secret) {
    const sealed = Buffer.from(seal(ctx.deps.config.secretKey, (await readFile(path)).toString('base64')), 'latin1');
    await store.put(key, Readable.from([sealed]), sealed.length);
  } else await store.put(key, path, size);
  await ctx.db
    .insertInto('config_file')
    .values({ sha256, sealed: secret, size, create_at: ctx.now() })
    .onConflict((oc) => oc.columns(['sha256', 'sealed']).doUpdateSet({ create_at: ctx.now() }))
    .execute();
  await ctx.db
    .insertInto('config_file_owner')
    .values({ sha256, sealed: secret, agent_id: ctx.me.agent_id })
    .onConflict((oc) => oc.doNothing())
    .execute();
  const [zh, en] = page.title;
  const where: Text = device ? [`设备 ${calledOf(device)} 的`, ` of device ${calledOf(device)}`] : ['', ''];
  record(ctx, [`上传${where[0]}网关配置“${zh}”的文件 ${name}`, `Uploaded ${name} for ${en}${where[1]}`], {
    after: { file: name, size, ...(!secret && { sha256 }) },
    ...(device && { subject: subjectOf(device) }),
  });
  return value;
};
