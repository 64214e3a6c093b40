import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { lengthOf, type UploadRule } from '@farlink/contract/kit/rule.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { PublicCtx } from './ctx.ts';
import { fail, failAt } from './fail.ts';
import { sniffers } from './sniff.ts';

/** A file that is what it says it is. It lies at `path` until the answer has gone out. */
export interface Upload {
  readonly path: string;
  readonly name: string;
  readonly extension: string;
  readonly size: number;
  readonly sha256: string;
  /** The texts that came with it in the same form. */
  readonly fields: Readonly<Record<string, string>>;
}

const chooseFile: Text = ['请选择文件', 'Please select a file'];
const onlyOne: Text = ['每次只能上传一个文件', 'Only one file at a time'];
const nameMax = 255;

const extensionOf = (name: string) => (/.\.([^.]*)$/.exec(name)?.[1] ?? '').toLowerCase();

/** The last part of whatever path a browser sent, without what no name should hold. */
const plainName = (raw: string) => (raw.normalize('NFC').split(/[\\/]/).at(-1) ?? '').replace(/\p{Cc}/gu, '').trim();

const save = async (part: MultipartFile, path: string) => {
  const hash = createHash('sha256');
  let size = 0;
  const measure = new Transform({
    transform: (chunk, _, done) => {
      size += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(part.file, measure, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  return { size, sha256: hash.digest('hex') };
};

/** By its name first, because that costs nothing; by its content when it is here. */
const checkName = (name: string, field: string, rule: UploadRule) => {
  if (name === '') throw failAt(field, chooseFile);
  if (lengthOf(name) > (rule.maxName ?? nameMax)) throw failAt(field, rule.text);
  const extension = extensionOf(name);
  if (!rule.accept.includes(extension)) throw fail('wrong_media', { fields: { [field]: rule.text } });
  return extension;
};

const take = async (part: MultipartFile, field: string, rule: UploadRule, path: string) => {
  try {
    if (part.fieldname !== field) throw failAt(field, chooseFile);
    // A part may come without a name, whatever its type says.
    const name = plainName(part.filename ?? '');
    const extension = checkName(name, field, rule);
    const saved = await save(part, path);
    if (part.file.truncated) throw fail('too_large', { fields: { [field]: rule.text } });
    return { path, name, extension, ...saved };
  } catch (error) {
    // The rest is read and thrown away: a browser hears our answer only after it has said everything.
    part.file.resume();
    throw error;
  }
};

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

/** What the parser of the form says, in our words. */
const translated = (error: unknown, field: string, rule: UploadRule) => {
  const code = codeOf(error);
  if (code === 'FST_REQ_FILE_TOO_LARGE') return fail('too_large', { fields: { [field]: rule.text } });
  if (code === 'FST_FILES_LIMIT') return failAt(field, onlyOne);
  if (code === 'FST_INVALID_MULTIPART_CONTENT_TYPE') return failAt(field, chooseFile);
  if (typeof code === 'string' && code.startsWith('FST_')) return fail('bad_input');
  return error;
};

const receive = async (ctx: PublicCtx, field: string, rule: UploadRule, path: string): Promise<Upload> => {
  const fields: Record<string, string> = {};
  let upload: Omit<Upload, 'fields'> | undefined;
  const bounds = { files: 1, fileSize: rule.maxBytes, fields: 50, fieldSize: 65_536, parts: 51 };
  for await (const part of ctx.request.parts({ limits: bounds })) {
    if (part.type === 'field') {
      fields[part.fieldname] = String(part.value);
      continue;
    }
    upload = await take(part, field, rule, path);
  }
  if (!upload) throw failAt(field, chooseFile);
  const sniff = sniffers[upload.extension];
  if (!sniff) throw new Error(`nothing knows what a .${upload.extension} looks like`);
  if (upload.size === 0 || !(await sniff(path))) throw fail('wrong_media', { fields: { [field]: rule.text } });
  return { ...upload, fields };
};

/** A form can be read once, but the work on it may be tried again. */
const received = new WeakMap<FastifyRequest, Promise<Upload>>();

/** Takes the one file of a form into a temporary place and refuses, at its field, what the rule does not allow. */
export const receiveUpload = (ctx: PublicCtx, field: string, rule: UploadRule): Promise<Upload> => {
  const known = received.get(ctx.request);
  if (known) return known;
  const folder = join(ctx.deps.config.dataDir, 'tmp');
  const path = join(folder, `upload-${randomUUID()}`);
  const forget = () => rm(path, { force: true });
  ctx.reply.raw.once('close', () => forget().catch((err) => ctx.deps.log.warn({ err }, 'temporary file stays')));
  const work = mkdir(folder, { recursive: true })
    .then(() => receive(ctx, field, rule, path))
    .catch(async (error) => {
      await forget();
      throw translated(error, field, rule);
    });
  received.set(ctx.request, work);
  return work;
};
