import { crc32, deflateSync } from 'node:zlib';
import { authCalls } from '@farlink/contract/auth/auth.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import { infoCalls as calls } from '@farlink/contract/market/info-setup.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, allPages, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { uploadFile } from '../../../test/upload.ts';
import { makeBranches, makeRole, makeStaff, makeVno } from '../../../test/world.ts';
import { cleanupJobs } from '../../kit/jobs/cleanup.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
});
afterAll(() => api.close());

const info = async (by: Caller) => (await by.call(calls.read)).data;
const save = async (by: Caller, more: object) => by.call(calls.save, { ...(await info(by)), ...more });
const logs = (by: Caller) =>
  api.db
    .selectFrom('syslog')
    .select(['content_en', 'before', 'after', 'result'])
    .where('agent_id', '=', by.session?.agent_id ?? 0)
    .where('module', '=', 'market')
    .orderBy('id', 'desc')
    .execute();
const drawn = (width: number, height: number, background = '#1d4fd8') => sharp({ create: { width, height, channels: 3, background } });
const png = (width = 190, height = 60) => drawn(width, height).png().toBuffer();
const jpeg = () => drawn(190, 60).jpeg().toBuffer();
const upload = <E extends Endpoint>(by: Caller, call: E, bytes: Uint8Array, name = 'logo.png') => uploadFile(api, by, call, bytes, name);
const fetchLogo = (path: string | null | undefined) => fetch(`${api.base}${path}`);
const work = async () => {
  const jobs = startJobs(api.deps, cleanupJobs, { pollMs: 0 });
  await jobs.tick();
  await jobs.stop();
};

describe('operator information', () => {
  it('is that of the VNO of the session', async () => {
    expect(await info(world.east)).toMatchObject({
      id: world.eastId,
      name: 'VNO east',
      username: 'east',
      contacts: '测试人',
      agent_mode: 3,
      account_prefix: null,
      agent_logo: null,
      device_logo: null,
    });
    expect(await info(world.admin)).toMatchObject({ name: 'Farlink 远联', username: 'admin', code: 'FARLINK' });
  });

  it('is saved with a version and logged with before and after', async () => {
    const first = await info(world.west);
    expect(await world.west.call(calls.save, first)).toMatchObject({ code: 10011, msg: '您未做任何修改' });
    expect((await save(world.west, { name: '西海卫星', email: 'west@sea.cn', introduction: '近海' })).code).toBe(0);
    expect(await info(world.west)).toMatchObject({
      name: '西海卫星',
      email: 'west@sea.cn',
      introduction: '近海',
      version: first.version + 1,
    });
    expect((await logs(world.west))[0]).toEqual({
      content_en: 'Changed the operator information of 西海卫星',
      before: { name: 'VNO west', email: null, introduction: null },
      after: { name: '西海卫星', email: 'west@sea.cn', introduction: '近海' },
      result: 'success',
    });
    expect((await world.west.call(calls.save, { ...first, name: '旧版本' })).code).toBe(10010);
  });

  it('keeps the session after a new name, and the profile shows the name', async () => {
    expect((await save(world.west, { name: '西海' })).code).toBe(0);
    expect((await world.west.call(authCalls.profile)).data).toMatchObject({ agent_name: '西海' });
  });

  it('never changes another VNO, even if the request contains its ID', async () => {
    const before = await info(world.east);
    await world.west.call(calls.save, { ...(await info(world.west)), id: world.eastId, vno_id: world.eastId, name: '夺取' });
    expect(await info(world.east)).toEqual(before);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'a"b' }, 'name'],
    [{ name: 'x'.repeat(129) }, 'name'],
    [{ contacts: '一' }, 'contacts'],
    [{ phone: 'abc' }, 'phone'],
    [{ email: 'nowhere' }, 'email'],
    [{ introduction: '长'.repeat(513) }, 'introduction'],
  ])('refuses %o', async (more, field) => {
    expect((await save(world.east, more)).data).toHaveProperty(`fields.${field}`);
  });

  it('refuses the name of a sibling at its field', async () => {
    await makeVno(world.admin, 'north', world.role, { name: '北海' });
    expect((await save(world.east, { name: '北海' })).data).toHaveProperty('fields.name');
  });

  it('is denied to staff without the page, and read-only for a view-only role', async () => {
    await makeStaff(world.east, 'nopage', await makeRole(world.east, '无', grantsOf(['system_log'])));
    const without = await api.login('nopage');
    expect((await without.call(calls.read)).code).toBe(10006);
    expect((await upload(without, calls.agentLogo, await png())).code).toBe(10006);
    await makeStaff(world.east, 'reader', await makeRole(world.east, '看', grantsOf(allPages, '10')));
    const reader = await api.login('reader');
    expect((await reader.call(calls.read)).code).toBe(0);
    expect((await save(reader, { name: '改' })).code).toBe(10006);
    expect((await upload(reader, calls.deviceLogo, await png())).code).toBe(10006);
    expect((await reader.call(calls.removeAgentLogo)).code).toBe(10006);
  });
});

describe('a logo', () => {
  it('is re-encoded at twice the recommended size, and public under an unguessable name', async () => {
    const reply = await upload(world.east, calls.agentLogo, await png(1900, 600));
    expect(reply.data.agent_logo).toMatch(/^\/agt\/v1\/brand\/logo\/[0-9a-f]{32}\.png$/);
    const shown = await fetchLogo(reply.data.agent_logo);
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    expect(await sharp(await shown.arrayBuffer()).metadata()).toMatchObject({ format: 'png', width: 380, height: 120 });
    expect((await logs(world.east))[0]).toMatchObject({
      content_en: 'Uploaded the console logo',
      before: { agent_logo: null },
      after: { agent_logo: expect.stringMatching(/^logo\//) },
    });
  });

  it('is in the login reply, the profile and the operator information', async () => {
    const { agent_logo } = await info(world.east);
    expect((await api.login('east')).session?.agent_logo).toBe(agent_logo);
    expect((await world.east.call(authCalls.profile)).data).toMatchObject({ agent_name: 'VNO east', agent_logo });
  });

  it('is inherited by child VNOs that have none; the name is not inherited', async () => {
    const { agent_logo } = await info(world.east);
    expect((await world.child.call(authCalls.profile)).data).toMatchObject({ agent_name: 'VNO child', agent_logo });
    expect(await info(world.child)).toMatchObject({ agent_logo: null, inherited_agent_logo: agent_logo });
    expect((await world.west.call(authCalls.profile)).data).toMatchObject({ agent_logo: null });
    const own = (await upload(world.child, calls.agentLogo, await jpeg(), 'own.jpeg')).data.agent_logo;
    expect((await world.child.call(authCalls.profile)).data).toMatchObject({ agent_logo: own });
    expect((await world.child.call(calls.removeAgentLogo)).code).toBe(0);
    expect((await world.child.call(authCalls.profile)).data).toMatchObject({ agent_logo });
  });

  it('leaves no file behind when it is replaced, removed, or its VNO is deleted', async () => {
    const doomedId = await makeVno(world.admin, 'doomed', world.role);
    const doomed = await api.login('doomed');
    const urls: string[] = [];
    for (let i = 0; i < 2; i++) urls.push(String((await upload(doomed, calls.agentLogo, await png())).data.agent_logo));
    urls.push(String((await upload(doomed, calls.deviceLogo, await png())).data.device_logo));
    expect((await doomed.call(calls.removeAgentLogo)).code).toBe(0);
    expect(await doomed.call(calls.removeAgentLogo)).toMatchObject({ code: 10011 });
    expect((await world.admin.call(vnoCalls.remove, { id: doomedId, confirm_name: 'VNO doomed' })).code).toBe(0);
    await work();
    for (const url of urls) expect((await fetchLogo(url)).status).toBe(200);
    api.clock.advance(3601);
    await work();
    for (const url of urls) expect((await fetchLogo(url)).status).toBe(404);
    world.admin = await api.login('admin');
    world.east = await api.login('east');
    expect((await fetchLogo((await info(world.east)).agent_logo)).status).toBe(200);
  });

  it('is stored without metadata and without data appended to the image', async () => {
    const script = Buffer.from('<script>alert(document.domain)</script>');
    const dirty = Buffer.concat([
      await drawn(190, 60)
        .withExif({ IFD0: { Copyright: 'PK-secret' } })
        .jpeg()
        .toBuffer(),
      script,
    ]);
    const { data } = await upload(world.east, calls.deviceLogo, dirty, 'polyglot.jpg');
    const served = Buffer.from(await (await fetchLogo(data.device_logo)).arrayBuffer());
    expect([served.includes('<script>'), served.includes('PK-secret')]).toEqual([false, false]);
    expect(await sharp(served).metadata()).toMatchObject({ format: 'jpeg', width: 190, height: 60 });
    expect((await world.east.call(calls.removeDeviceLogo)).code).toBe(0);
  });
});

/** A PNG of 60,000 x 60,000 pixels in a few bytes. */
const bomb = () => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    const sum = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(60_000, 0);
  head.writeUInt32BE(60_000, 4);
  head.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="190" height="60"><script>alert(1)</script></svg>';

describe('a hostile logo', () => {
  it.each<[string, string, () => Promise<Buffer> | Buffer, number]>([
    ['SVG', 'logo.svg', () => Buffer.from(svg), 10_003],
    ['SVG named PNG', 'logo.png', () => Buffer.from(svg), 10_003],
    ['HTML named PNG', 'logo.png', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 10_003],
    ['HTML named PNG.HTML', 'logo.png.html', png, 10_003],
    ['GIF named PNG', 'logo.png', () => drawn(190, 60).gif().toBuffer(), 10_003],
    ['WebP named JPG', 'logo.jpg', () => drawn(190, 60).webp().toBuffer(), 10_003],
    ['PNG header before HTML', 'logo.png', () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('<script>')]), 10_003],
    ['decompression bomb', 'logo.png', bomb, 10_003],
    ['many pixels', 'logo.png', () => drawn(5000, 5000).png().toBuffer(), 10_003],
    ['truncated', 'logo.jpg', async () => (await drawn(800, 400).jpeg().toBuffer()).subarray(0, 700), 10_003],
    ['empty', 'logo.png', () => Buffer.alloc(0), 10_003],
    ['over 2 MB', 'logo.png', async () => Buffer.concat([await png(), Buffer.alloc(2 * 1024 * 1024)]), 10_002],
  ])('%s is refused at its field and nothing is stored', async (_, name, make, code) => {
    const before = await info(world.east);
    const reply = await upload(world.east, calls.agentLogo, await make(), name);
    expect([reply.code, Object.keys(Object(reply.data).fields ?? {})]).toEqual([code, ['file']]);
    expect(await info(world.east)).toEqual(before);
  });

  it('is refused without a file, or with a JSON object as file', async () => {
    expect((await world.east.call(calls.agentLogo, {})).data).toHaveProperty('fields.file');
    const fake = { path: '/etc/passwd', name: 'a.png', extension: 'png', size: 1, sha256: '-' };
    expect((await world.east.call(calls.agentLogo, { file: fake })).status).toBeGreaterThanOrEqual(400);
  });

  it.each(['../../etc/passwd', '..%2f..%2fphoto%2fx.png', 'x.png', `${'0'.repeat(32)}.png`, `${'0'.repeat(32)}.svg`])(
    'with the name %s is not found',
    async (name) => {
      expect((await fetch(`${api.base}/agt/v1/brand/logo/${name}`)).status).toBe(404);
    },
  );
});
