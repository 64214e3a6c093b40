import { createHash, generateKeyPairSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { errors } from '@farlink/contract/errors.ts';
import type { UploadRule } from '@farlink/contract/kit/rule.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import { uploads } from '@farlink/contract/rules.ts';
import multipart from '@fastify/multipart';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicCtx, type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { Refusal } from '../fail.ts';
import { isUpload, receiveForm } from './upload.ts';

let service: ServiceDeps;
let app: FastifyInstance;
let origin: string;
let rule: UploadRule = uploads.photo;

beforeAll(async () => {
  service = await serviceDeps();
  app = fastify({ bodyLimit: 1024 });
  await app.register(multipart);
  app.post('/', async (request, reply) => {
    const ctx = publicCtx(service.deps, request, reply);
    try {
      const { texts, files } = await receiveForm(ctx, { photo: rule, other: uploads.photo });
      if (!files.photo) return { texts, files: Object.keys(files) };
      const { path, ...rest } = files.photo;
      return { ...rest, fields: texts, content: readFileSync(path).toString('base64') };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return reply.status(errors[error.reason].status).send({ reason: error.reason, fields: error.details.fields });
    }
  });
  origin = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await app.close();
  await service.close();
});

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452000000be0000003c0806000000', 'hex'), Buffer.alloc(100)]);
const send = async (fields: [name: string, content: string | Buffer, file?: string][], by: UploadRule = uploads.photo) => {
  rule = by;
  const form = new FormData();
  for (const [name, content, file] of fields) {
    if (file === undefined) form.append(name, content.toString());
    else form.append(name, new Blob([new Uint8Array(Buffer.from(content))]), file);
  }
  const response = await fetch(origin, { method: 'POST', body: form });
  return Object.assign({ status: response.status }, await response.json());
};
const temporary = () => {
  const folder = join(service.deps.config.dataDir, 'tmp');
  return existsSync(folder) ? readdirSync(folder) : [];
};

test('a valid file is received completely with its form fields, and its temporary file is removed after the reply', async () => {
  const reply = await send([
    ['remark', '头像'],
    ['photo', png, '我.PNG'],
    ['after', '1'],
  ]);
  expect(reply).toEqual({
    status: 200,
    name: '我.PNG',
    extension: 'png',
    size: png.length,
    sha256: createHash('sha256').update(png).digest('hex'),
    fields: { remark: '头像', after: '1' },
    content: png.toString('base64'),
  });
  await expect.poll(temporary).toEqual([]);
});

test('a wrong extension or wrong content is refused with the name of the field', async () => {
  const refused = { status: 415, reason: 'wrong_media', fields: { photo: uploads.photo.text } };
  expect(await send([['photo', png, 'a.gif']])).toEqual(refused);
  expect(await send([['photo', png, 'png']])).toEqual(refused);
  expect(await send([['photo', png, 'a.png.exe']])).toEqual(refused);
  expect(await send([['photo', '<svg onload="alert(1)"/>', 'a.png']])).toEqual(refused);
  expect(await send([['photo', '', 'a.png']])).toEqual(refused);
  await expect.poll(temporary).toEqual([]);
});

test('a file that is one byte too large is refused, and leaves no temporary file', async () => {
  const small = { ...uploads.photo, maxBytes: png.length };
  expect(await send([['photo', png, 'a.png']], small)).toMatchObject({ status: 200 });
  const refusedAbove = (size: string) => ({
    status: 413,
    reason: 'too_large',
    fields: { photo: [`文件不能超过${size}`, `The file must not exceed ${size}`] },
  });
  expect(await send([['photo', Buffer.concat([png, Buffer.from('x')]), 'a.png']], small)).toEqual(refusedAbove(bytesText(png.length)));
  expect(await send([['photo', Buffer.concat([png, Buffer.alloc(5_000_000)]), 'a.png']])).toEqual(refusedAbove('2 MB'));
  await expect.poll(temporary).toEqual([]);
});

test('an empty field, an unknown field and a text instead of a file yield no file', async () => {
  expect(await send([['remark', 'x']])).toEqual({ status: 200, texts: { remark: 'x' }, files: [] });
  expect(await send([['photo', '', '']])).toEqual({ status: 200, texts: {}, files: [] });
  expect(await send([['nobody', png, 'a.png']])).toEqual({ status: 200, texts: {}, files: [] });
  expect(await send([['photo', 'just text']])).toEqual({ status: 200, texts: { photo: 'just text' }, files: [] });
});

test('several fields may each have a file', async () => {
  expect(
    await send([
      ['photo', png, 'a.png'],
      ['other', png, 'b.png'],
    ]),
  ).toMatchObject({ status: 200, name: 'a.png' });
  await expect.poll(temporary).toEqual([]);
});

test('a second file is refused', async () => {
  const refused = { status: 400, reason: 'bad_input', fields: { photo: ['每次只能上传一个文件', 'Only one file at a time'] } };
  expect(
    await send([
      ['photo', png, 'a.png'],
      ['photo', png, 'b.png'],
    ]),
  ).toEqual(refused);
  await expect.poll(temporary).toEqual([]);
});

test('the length of a file name is counted in characters', async () => {
  expect(await send([['photo', png, `${'照'.repeat(20)}.png`]])).toMatchObject({ status: 200 });
  expect(await send([['photo', png, `${'照'.repeat(21)}.png`]])).toEqual({
    status: 400,
    reason: 'bad_input',
    fields: { photo: uploads.photo.text },
  });
});

test('paths and control characters are removed from a file name', async () => {
  const boundary = 'x';
  const body = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="photo"; filename="..\\..\\etc/pa\u0007ss.png"\r\nContent-Type: image/png\r\n\r\n`,
    ),
    png,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const response = await fetch(origin, { method: 'POST', body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } });
  expect(await response.json()).toMatchObject({ name: 'pass.png' });
});

test('a key file may have no extension; wrong content and other extensions are refused', async () => {
  const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  expect(await send([['photo', key, 'server']], uploads.key_file)).toMatchObject({ status: 200, name: 'server', extension: '' });
  expect(await send([['photo', key, 'server.key']], uploads.key_file)).toMatchObject({ status: 200, extension: 'key' });
  expect(await send([['photo', key, 'server.pem']], uploads.key_file)).toMatchObject({ status: 415 });
  for (const name of ['server', 'server.key'])
    expect(await send([['photo', 'not a key', name]], uploads.key_file), name).toMatchObject({ status: 415 });
});

test('a refused file is read to its end, so that the reply arrives and the connection stays usable', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const post = (name: string, content: Buffer) =>
    new Promise<string>((done, broken) => {
      const head = `--x\r\nContent-Disposition: form-data; name="photo"; filename="${name}"\r\nContent-Type: image/png\r\n\r\n`;
      const sent = httpRequest(origin, { method: 'POST', agent, headers: { 'content-type': 'multipart/form-data; boundary=x' } }, (r) =>
        text(r).then(done, broken),
      );
      sent.on('error', broken);
      sent.write(head);
      sent.write(content);
      sent.end('\r\n--x--\r\n');
    });
  rule = uploads.photo;
  expect(await post('a.exe', Buffer.alloc(20_000_000))).toContain('wrong_media');
  expect(await post('a.png', Buffer.alloc(20_000_000))).toContain('too_large');
  expect(await post('a.png', png)).toContain('"extension":"png"');
  agent.destroy();
});

test('an interrupted upload leaves no temporary file', async () => {
  rule = uploads.photo;
  await new Promise<void>((done) => {
    const sent = httpRequest(origin, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 1_000_000 },
    });
    sent.on('error', () => done());
    sent.write(`--x\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`);
    sent.write(png);
    const seen = setInterval(() => {
      if (temporary().length === 0) return;
      clearInterval(seen);
      sent.destroy();
    }, 5);
    sent.on('close', () => done());
  });
  await expect.poll(temporary).toEqual([]);
});

test('a JSON object with the fields of an upload is not one, so it cannot name a file of the server', () => {
  expect(isUpload({ path: '/etc/passwd', name: 'a.png', extension: 'png', size: 1, sha256: '0' })).toBe(false);
});
