import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { UploadRule } from '@farlink/contract/kit/rule.ts';
import { fill, lengthOf, type Text } from '@farlink/contract/kit/text.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { PublicCtx } from '../ctx.ts';
import { fail, failAt } from '../fail.ts';
import { sniffers } from '../formats/sniff.ts';
import { createFile } from './create-file.ts';

/** A validated file. It is kept at `path` until the reply is sent. */
export interface Upload {
  readonly path: string;
  readonly name: string;
  readonly extension: string;
  readonly size: number;
  readonly sha256: string;
}

/** A received form: its texts, and its files by field. */
export interface ReceivedForm {
  readonly texts: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, Upload>>;
}

/** Uploads that were received and checked. An object of the same shape in a JSON body is not one. */
const real = new WeakSet<object>();

/** True for the value of a field of kind `file`. */
export const isUpload = (value: unknown): value is Upload => typeof value === 'object' && value !== null && real.has(value);

const onlyOne: Text = ['每次只能上传一个文件', 'Only one file at a time'];
const nameMax = 255;

const extensionOf = (name: string) => (/.\.([^.]*)$/.exec(name)?.[1] ?? '').toLowerCase();

/** Last part of the path that a browser sent, without control characters. */
const plainName = (raw: string) => (raw.normalize('NFC').split(/[\\/]/).at(-1) ?? '').replace(/\p{Cc}/gu, '').trim();

const save = async (part: MultipartFile, path: string) => {
  const hash = createHash('sha256');
  let size = 0;
  async function* measured(): AsyncGenerator<Buffer> {
    for await (const chunk of part.file) {
      size += chunk.length;
      hash.update(chunk);
      yield chunk;
    }
  }
  await createFile(path, measured());
  return { size, sha256: hash.digest('hex') };
};

const limitText: Text = ['文件不能超过{0}', 'The file must not exceed {0}'];

const tooLarge = (field: string, { maxBytes }: UploadRule) =>
  fail('too_large', { fields: { [field]: fill(limitText, bytesText(maxBytes)) } });

/** The name is checked first, because it is cheap; the content is checked after the upload. */
const checkName = (name: string, field: string, rule: UploadRule) => {
  if (lengthOf(name) > (rule.maxName ?? nameMax)) throw failAt(field, rule.text);
  const extension = extensionOf(name);
  if (rule.accept.length > 0 && !rule.accept.includes(extension)) throw fail('wrong_media', { fields: { [field]: rule.text } });
  return extension;
};

const receiveFile = async (part: MultipartFile, field: string, rule: UploadRule, path: string): Promise<Upload> => {
  try {
    // A part may have no name, regardless of its type.
    const name = plainName(part.filename ?? '');
    const extension = checkName(name, field, rule);
    const saved = await save(part, path);
    if (part.file.truncated || saved.size > rule.maxBytes) throw tooLarge(field, rule);
    // If all types are accepted, the caller checks the content.
    const sniff = rule.accept.length === 0 ? async () => true : sniffers[extension];
    if (!sniff) throw new Error(`no content check for .${extension}`);
    if (saved.size === 0 || !(await sniff(path))) throw fail('wrong_media', { fields: { [field]: rule.text } });
    const upload: Upload = { path, name, extension, ...saved };
    real.add(upload);
    return upload;
  } catch (error) {
    // Reads and drops the rest, because a browser reads the reply only after it has sent everything.
    part.file.resume();
    throw error;
  }
};

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Parser errors without a code: the boundary is missing, or the form ends early. */
const isCutShort = (error: unknown) =>
  error instanceof Error &&
  (/multipart data|^Multipart: |^The needle /.test(error.message) || codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE');

/** Converts a parser error to a refusal. The parser does not report the field. */
export const formFault = (error: unknown, rules: Rules = {}) => {
  const code = codeOf(error);
  const [first] = Object.entries(rules);
  if (first && code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(first[0], first[1]);
  if (first && code === 'FST_FILES_LIMIT') return failAt(first[0], onlyOne);
  if (typeof code === 'string' && code.startsWith('FST_')) return fail('bad_input');
  // The client disconnected during the upload.
  if (code === 'ECONNRESET') return fail('unavailable');
  return isCutShort(error) ? fail('bad_input') : error;
};

type Rules = Readonly<Record<string, UploadRule>>;

const checkMs = 100;
const checksAfterEnd = 5;

/** Reads the next part. The parser never ends on an incomplete part header, so the end or the loss of the request ends it. */
const nextPart = <T>(parts: AsyncIterator<T>, { raw }: FastifyRequest): Promise<IteratorResult<T>> =>
  new Promise((done, failed) => {
    let checks = 0;
    const timer = setInterval(() => {
      if (!(raw.readableEnded || raw.destroyed) || ++checks <= checksAfterEnd) return;
      clearInterval(timer);
      failed(fail('bad_input'));
    }, checkMs);
    parts
      .next()
      .then(done, failed)
      .finally(() => clearInterval(timer));
  });

/** Parts of a form. */
export async function* wholeParts<T>(parts: AsyncIterableIterator<T>, request: FastifyRequest): AsyncGenerator<T> {
  for (;;) {
    const next = await nextPart(parts, request);
    if (next.done) return;
    yield next.value;
  }
}

const receive = async (request: FastifyRequest, rules: Rules, pathOf: () => string): Promise<ReceivedForm> => {
  const texts: Record<string, string> = {};
  const files: Record<string, Upload> = {};
  // The parsed texts are set as the body early, so that a refusal can use their language.
  request.body = texts;
  const count = Object.keys(rules).length;
  const fileSize = Math.max(...Object.values(rules).map((rule) => rule.maxBytes));
  const bounds = { files: count, fileSize, fields: 100, fieldSize: 65_536, parts: 100 + count };
  for await (const part of wholeParts(request.parts({ limits: bounds }), request)) {
    if (part.type === 'field') {
      texts[part.fieldname] = String(part.value);
      continue;
    }
    const rule = rules[part.fieldname];
    // A browser sends an empty file field as a nameless empty file.
    if (!rule || plainName(part.filename ?? '') === '') part.file.resume();
    else if (files[part.fieldname]) {
      part.file.resume();
      throw failAt(part.fieldname, onlyOne);
    } else files[part.fieldname] = await receiveFile(part, part.fieldname, rule, pathOf());
  }
  return { texts, files };
};

/**
 * Receives a form with files. Each file is stored in a temporary folder and removed after the reply; a file that violates its rule is
 * refused at its field.
 */
export const receiveForm = async (
  { request, reply, deps }: Pick<PublicCtx, 'request' | 'reply' | 'deps'>,
  rules: Rules,
): Promise<ReceivedForm> => {
  const folder = join(deps.config.dataDir, 'tmp');
  const paths: string[] = [];
  const forget = () => Promise.all(paths.map((path) => rm(path, { force: true })));
  reply.raw.once('close', () => forget().catch((err) => deps.log.warn({ err }, 'temporary file removal failed')));
  const pathOf = () => {
    const path = join(folder, `upload-${randomUUID()}`);
    paths.push(path);
    return path;
  };
  await mkdir(folder, { recursive: true });
  try {
    return await receive(request, rules, pathOf);
  } catch (error) {
    await forget();
    throw formFault(error, rules);
  }
};
