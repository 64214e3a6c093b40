import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { UploadRule } from '@farlink/contract/kit/rule.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { lengthOf } from '@farlink/contract/kit/text.ts';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { PublicCtx } from '../ctx.ts';
import { fail, failAt } from '../fail.ts';
import { createFile } from './create-file.ts';
import { sniffers } from './sniff.ts';

/** A file that is what it says it is. It lies at `path` until the answer has gone out. */
export interface Upload {
  readonly path: string;
  readonly name: string;
  readonly extension: string;
  readonly size: number;
  readonly sha256: string;
}

/** A form as it came: its texts, and its files by their fields. */
export interface ReceivedForm {
  readonly texts: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, Upload>>;
}

/** Those that came in a form and were looked at: an object of the same shape in a JSON body is none of them. */
const real = new WeakSet<object>();

/** What a verb gets of a field of kind `file`. */
export const isUpload = (value: unknown): value is Upload => typeof value === 'object' && value !== null && real.has(value);

const onlyOne: Text = ['每次只能上传一个文件', 'Only one file at a time'];
const nameMax = 255;

const extensionOf = (name: string) => (/.\.([^.]*)$/.exec(name)?.[1] ?? '').toLowerCase();

/** The last part of whatever path a browser sent, without what no name should hold. */
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

/** By its name first, because that costs nothing; by its content when it is here. */
const checkName = (name: string, field: string, rule: UploadRule) => {
  if (lengthOf(name) > (rule.maxName ?? nameMax)) throw failAt(field, rule.text);
  const extension = extensionOf(name);
  if (rule.accept.length > 0 && !rule.accept.includes(extension)) throw fail('wrong_media', { fields: { [field]: rule.text } });
  return extension;
};

const take = async (part: MultipartFile, field: string, rule: UploadRule, path: string): Promise<Upload> => {
  try {
    // A part may come without a name, whatever its type says.
    const name = plainName(part.filename ?? '');
    const extension = checkName(name, field, rule);
    const saved = await save(part, path);
    if (part.file.truncated || saved.size > rule.maxBytes) throw fail('too_large', { fields: { [field]: rule.text } });
    // Where any kind is taken, whoever takes it knows what it should be.
    const sniff = rule.accept.length === 0 ? async () => true : sniffers[extension];
    if (!sniff) throw new Error(`nothing knows what a .${extension} looks like`);
    if (saved.size === 0 || !(await sniff(path))) throw fail('wrong_media', { fields: { [field]: rule.text } });
    const upload: Upload = { path, name, extension, ...saved };
    real.add(upload);
    return upload;
  } catch (error) {
    // The rest is read and thrown away: a browser hears our answer only after it has said everything.
    part.file.resume();
    throw error;
  }
};

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

/** The parser's own errors carry no code: the boundary is missing, or the form ends in the middle. */
const isCutShort = (error: unknown) =>
  error instanceof Error &&
  (/multipart data|^Multipart: |^The needle /.test(error.message) || codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE');

/** What the parser of the form says, in our words; it does not say at which field. */
const translated = (error: unknown, rules: Rules) => {
  const code = codeOf(error);
  const [first] = Object.entries(rules);
  if (first && code === 'FST_REQ_FILE_TOO_LARGE') return fail('too_large', { fields: { [first[0]]: first[1].text } });
  if (first && code === 'FST_FILES_LIMIT') return failAt(first[0], onlyOne);
  if (typeof code === 'string' && code.startsWith('FST_')) return fail('bad_input');
  // Whoever sent it has gone in the middle of it: nobody's fault, and nobody hears the answer.
  if (code === 'ECONNRESET') return fail('unavailable');
  return isCutShort(error) ? fail('bad_input') : error;
};

type Rules = Readonly<Record<string, UploadRule>>;

const checkMs = 100;
const checksAfterEnd = 5;

/** The next part. The parser waits for ever for a part whose header does not end, so the end of the request ends it. */
const nextPart = <T>(parts: AsyncIterator<T>, { raw }: FastifyRequest): Promise<IteratorResult<T>> =>
  new Promise((done, failed) => {
    let checks = 0;
    const timer = setInterval(() => {
      if (!raw.readableEnded || ++checks <= checksAfterEnd) return;
      clearInterval(timer);
      failed(fail('bad_input'));
    }, checkMs);
    parts
      .next()
      .then(done, failed)
      .finally(() => clearInterval(timer));
  });

async function* wholeParts<T>(parts: AsyncIterableIterator<T>, request: FastifyRequest): AsyncGenerator<T> {
  for (;;) {
    const next = await nextPart(parts, request);
    if (next.done) return;
    yield next.value;
  }
}

const receive = async (request: FastifyRequest, rules: Rules, pathOf: () => string): Promise<ReceivedForm> => {
  const texts: Record<string, string> = {};
  const files: Record<string, Upload> = {};
  // What has been read so far is the body, so that a refusal in the middle knows its language.
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
    // A browser sends an untouched field as a nameless empty file.
    if (!rule || plainName(part.filename ?? '') === '') part.file.resume();
    else if (files[part.fieldname]) {
      part.file.resume();
      throw failAt(part.fieldname, onlyOne);
    } else files[part.fieldname] = await take(part, part.fieldname, rule, pathOf());
  }
  return { texts, files };
};

/**
 * Takes a form with files, each into a temporary place that is empty again once the answer has gone out, and refuses at its field
 * what a rule does not allow.
 */
export const receiveForm = async (
  { request, reply, deps }: Pick<PublicCtx, 'request' | 'reply' | 'deps'>,
  rules: Rules,
): Promise<ReceivedForm> => {
  const folder = join(deps.config.dataDir, 'tmp');
  const paths: string[] = [];
  const forget = () => Promise.all(paths.map((path) => rm(path, { force: true })));
  reply.raw.once('close', () => forget().catch((err) => deps.log.warn({ err }, 'temporary file stays')));
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
    throw translated(error, rules);
  }
};
