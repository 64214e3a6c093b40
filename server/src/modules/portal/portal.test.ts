import { errors } from '@farlink/contract/errors.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { infoCalls } from '@farlink/contract/market/info-setup.ts';
import { portalCalls as calls } from '@farlink/contract/market/portal.ts';
import { type PortalDocument, parseDocument } from '@farlink/portal/document.ts';
import { sampleData } from '@farlink/portal/sample-data.ts';
import { siteOf } from '@farlink/portal/site.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, fieldsOf, grantsOf, startApi } from '../../../test/api.ts';
import { makeFleet } from '../../../test/fleet.ts';
import { builtInTemplate, fileOf, goodPackage, makePortal, pngOf, sendForm, uploadImage, uploadPackage } from '../../../test/portal-api.ts';
import { uploadFile } from '../../../test/upload.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { currentSite } from '../../domain/portal/current-site.ts';
import { portalImage } from '../../domain/portal/portal-image.ts';
import { previewPath } from '../../domain/portal/preview-token.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let fleet: ReturnType<typeof makeFleet>;
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  fleet = makeFleet(api, 'PORTAL');
});
afterAll(() => api.close());

const read = async (by: Caller, id: number, more = {}) => (await by.call(calls.read, { id, ...more })).data;
const docOf = (raw: unknown): PortalDocument => {
  const parsed = parseDocument(raw);
  if ('reason' in parsed) throw new Error(parsed.reason);
  return parsed.value;
};
const saved = async (by: Caller, id: number, change: object) => {
  const { name, template_id, billing_type, version } = await read(by, id);
  return by.call(calls.update, { id, name, template_id, billing_type, version, ...change });
};
const fileFrom = (by: Caller, path: string) =>
  fetch(`${api.base}/agt/v1/${path}?uid=${by.session?.uid}&agent_id=${by.session?.agent_id}`, {
    headers: { authorization: by.session?.token ?? '' },
  });

describe('a portal', () => {
  it('is created from a template, listed, updated with a version check and deleted', async () => {
    const id = await makePortal(api, world.east, '船员门户');
    const other = await makePortal(api, world.east, '第二门户');
    const { list } = (await world.east.call(calls.list, { name: '船员' })).data;
    expect(list).toMatchObject([
      {
        id,
        name: '船员门户',
        template_name: '标准·船载站',
        device_type: 'ship',
        billing_type: 'charged',
        is_default: true,
        device_count: 0,
      },
    ]);
    expect((await world.east.call(calls.list, { lang: 'en', name: '船员' })).data.list).toMatchObject([
      { template_name: 'Standard, ship' },
    ]);
    const detail = await read(world.east, id);
    expect(docOf(detail.document).blocks.map(({ kind }) => kind)).toContain('packages');
    expect((await saved(world.east, id, { title: '海上网', welcome: '欢迎登船', link: 'www.example.com' })).data).toEqual({
      version: 2,
      rev: 2,
    });
    expect(await read(world.east, id)).toMatchObject({ title: '海上网', welcome: '欢迎登船', link: 'https://www.example.com', version: 2 });
    expect((await saved(world.east, id, { version: 1, title: '旧' })).code).toBe(errors.stale.code);
    expect((await saved(world.east, id, {})).code).toBe(errors.unchanged.code);
    expect((await world.east.call(calls.remove, { id })).msg).toBe('默认模板不允许删除');
    expect((await world.east.call(calls.remove, { id: other })).code).toBe(0);
    const log = (await world.east.call(logCalls.own, { module: 'market' })).data.list.map(({ content }) => content);
    expect(log).toEqual(expect.arrayContaining(['新增门户 船员门户', '修改门户 船员门户', '删除门户 第二门户']));
  });

  it('with free billing offers no packages', async () => {
    const id = await makePortal(api, world.west, '免费', { billing_type: 'free' });
    const kinds = docOf((await read(world.west, id)).document).blocks.map(({ kind }) => kind);
    expect(kinds).not.toEqual(expect.arrayContaining(['packages']));
    expect(kinds).toContain('login');
  });

  it('has a unique name per VNO and the device type of its template', async () => {
    await makePortal(api, world.east, '同名');
    await makePortal(api, world.west, '同名');
    const input = { name: '同名', template_id: await builtInTemplate(api, 'ship'), device_type: 'ship', billing_type: 'free' };
    expect(fieldsOf(await world.east.call(calls.create, input))).toHaveProperty('name');
    expect(fieldsOf(await world.east.call(calls.create, { ...input, name: '车', device_type: 'vehicle' }))).toHaveProperty('template_id');
    expect(fieldsOf(await world.east.call(calls.create, { ...input, name: '一二三四五六七八九十一二三四五六' }))).toHaveProperty('name');
    expect(fieldsOf(await world.east.call(calls.create, { ...input, name: '机', device_type: 'plane' }))).toHaveProperty('device_type');
  });

  it('is visible in its branch only, and to staff with the page', async () => {
    const id = await makePortal(api, world.child, '下级门户');
    expect((await world.east.call(calls.read, { id })).code).toBe(0);
    expect((await world.admin.call(calls.read, { id })).code).toBe(0);
    const { version, template_id } = await read(world.child, id);
    const change = { id, name: '改', template_id, billing_type: 'free', version };
    for (const reply of [
      await world.west.call(calls.read, { id }),
      await world.west.call(calls.update, change),
      await world.west.call(calls.remove, { id }),
      await world.west.call(calls.setDefault, { id }),
      await world.west.call(calls.draft, { id, document: {}, base_version: 1 }),
      await world.west.call(calls.history, { id }),
      await world.west.call(calls.revert, { id, rev: 1 }),
      await world.west.call(calls.resources, { id }),
      await world.west.call(calls.thumbnail, { id, rev: 1 }),
    ])
      expect(reply.status).toBe(404);
    const viewer = await makeStaff(world.east, 'portal_view', await makeRole(world.east, '看门户', grantsOf(['advert_temp'], '10')));
    expect(viewer).toBeDefined();
    const staff = await api.login('portal_view');
    expect((await staff.call(calls.read, { id })).code).toBe(0);
    expect((await staff.call(calls.update, change)).status).toBe(403);
    expect((await staff.call(calls.create, { ...change, device_type: 'ship' })).status).toBe(403);
  });

  it('cannot be deleted while devices use it, and the refusal names them', async () => {
    const id = await makePortal(api, world.east, '在用门户');
    const device = await fleet.add(world.eastId, { portal_id: id, name: '远望号' });
    const refused = await world.east.call(calls.remove, { id });
    expect(refused).toMatchObject({ code: errors.portal_in_use.code, msg: expect.stringContaining('远望号') });
    expect((await world.east.call(calls.list, { name: '在用' })).data.list).toMatchObject([{ device_count: 1 }]);
    await api.db.updateTable('device').set({ portal_id: null }).where('id', '=', device.id).execute();
    expect((await world.east.call(calls.remove, { id })).code).toBe(0);
  });

  it('can be made the default, and then the former default can be deleted', async () => {
    const vno = await api.login('child');
    const first = await makePortal(api, vno, '默认一');
    const second = await makePortal(api, vno, '默认二');
    expect((await vno.call(calls.setDefault, { id: second })).code).toBe(0);
    expect((await vno.call(calls.setDefault, { id: second })).code).toBe(errors.unchanged.code);
    expect((await vno.call(calls.remove, { id: first })).code).toBe(0);
    expect((await vno.call(calls.remove, { id: second })).code).toBe(errors.portal_default.code);
  });
});

describe('the document of a portal', () => {
  it('is refused with the path of the invalid field', async () => {
    const id = await makePortal(api, world.east, '坏内容');
    const doc = docOf((await read(world.east, id)).document);
    const refused = await saved(world.east, id, { document: { ...doc, link: 'javascript:alert(1)' } });
    expect(fieldsOf(refused).document).toContain('link');
    const image = { sha256: 'a'.repeat(64), ext: 'png', width: 1, height: 1 };
    const strange = await saved(world.east, id, { document: { ...doc, theme: { ...doc.theme, image } } });
    expect(fieldsOf(strange).document).toContain('theme.image');
  });

  it('accepts only images of its own VNO', async () => {
    const own = await makePortal(api, world.east, '图片');
    const foreign = await makePortal(api, world.west, '图片');
    const { data: image } = await uploadImage(api, world.east, await pngOf(190, 60));
    expect(image).toMatchObject({ ext: 'png', width: 190, height: 60 });
    expect((await fileFrom(world.east, image.url)).headers.get('content-type')).toBe('image/png');
    expect((await fileFrom(world.west, image.url)).status).toBe(404);
    const withLogo = async (by: Caller, id: number, logo: object) => {
      const doc = docOf((await read(by, id)).document);
      const { url: _, ...bare } = { url: '', ...logo };
      return saved(by, id, {
        document: { ...doc, blocks: doc.blocks.map((one) => (one.kind === 'header' ? { ...one, logo: bare } : one)) },
      });
    };
    expect((await withLogo(world.east, own, image)).code).toBe(0);
    expect((await read(world.east, own)).logo).toMatchObject({ sha256: image.sha256, url: image.url });
    expect(fieldsOf(await withLogo(world.west, foreign, image)).document).toContain('blocks.0.logo');
    expect(fieldsOf(await withLogo(world.east, own, { ...image, width: 9999 })).document).toContain('blocks.0.logo');
    expect((await world.east.call(calls.resources, { id: own })).data.list).toMatchObject([{ sha256: image.sha256, width: 190 }]);
  });

  it('refuses an upload that is not an image', async () => {
    const refused = await uploadImage(api, world.east, Buffer.from('\x89PNG\r\n\x1a\n<script>'));
    expect(refused.code).not.toBe(0);
    expect(Object.keys(fieldsOf(refused))).toEqual(['file']);
  });

  it('can be edited by single form fields with file uploads', async () => {
    const id = await makePortal(api, world.east, '表单');
    const { name, template_id, billing_type, version } = await read(world.east, id);
    const file = async (color: string) => fileOf(await pngOf(800, 300, color), 'a.png');
    const reply = await sendForm(api, world.east, calls.update, {
      id,
      name,
      template_id,
      billing_type,
      version,
      title: '标题',
      agreement: '协议',
      banner: await file('#ff0000'),
      background: await file('#00ff00'),
      logo: await file('#0000ff'),
    });
    expect(reply.code, JSON.stringify(reply)).toBe(0);
    expect(await read(world.east, id)).toMatchObject({
      title: '标题',
      agreement: '协议',
      banner: [{ width: 800 }],
      background: { width: 800 },
      logo: { height: 300 },
    });
  });

  it('keeps the drafts of two editors, and refuses the second save', async () => {
    const id = await makePortal(api, world.east, '两人编辑');
    await makeStaff(world.east, 'portal_two', await makeRole(world.east, '编辑', grantsOf(['advert_temp', 'advert_edit'])));
    const second = await api.login('portal_two');
    const doc = docOf((await read(world.east, id)).document);
    const draft = (by: Caller, zh: string) => by.call(calls.draft, { id, base_version: 1, document: { ...doc, title: [zh, ''] } });
    expect((await draft(world.east, '甲')).data).toMatchObject({ stale: false });
    expect((await draft(second, '乙')).data).toMatchObject({ stale: false });
    expect(await read(world.east, id)).toMatchObject({ draft: { document: { title: ['甲', ''] } }, others: [expect.any(String)] });
    expect((await saved(world.east, id, { document: { ...doc, title: ['甲', ''] } })).code).toBe(0);
    expect((await saved(second, id, { version: 1, document: { ...doc, title: ['乙', ''] } })).code).toBe(errors.stale.code);
    expect((await draft(second, '乙二')).data).toMatchObject({ stale: true });
    expect(await read(second, id)).toMatchObject({ title: '甲', draft: { base_version: 1, document: { title: ['乙二', ''] } } });
    expect((await read(world.east, id)).draft).toBeNull();
    expect((await second.call(calls.discardDraft, { id })).code).toBe(0);
    expect((await read(second, id)).draft).toBeNull();
  });

  it('can be reverted to an earlier revision, which is saved as a new one', async () => {
    const id = await makePortal(api, world.east, '历史');
    const first = docOf((await read(world.east, id)).document);
    await saved(world.east, id, { title: '二' });
    expect((await world.east.call(calls.history, { id })).data.list.map(({ rev }) => rev)).toEqual([2, 1]);
    const ordered = (orderby: string) => world.east.call(calls.history, { id, orderby });
    expect((await ordered('rev desc')).data.list.map(({ rev }) => rev)).toEqual([2, 1]);
    expect(fieldsOf(await ordered('operator desc'))).toHaveProperty('orderby');
    expect((await world.east.call(calls.revert, { id, rev: 1 })).data).toEqual({ version: 3, rev: 3 });
    expect((await read(world.east, id)).document).toEqual(first);
    expect(fieldsOf(await world.east.call(calls.revert, { id, rev: 9 }))).toHaveProperty('rev');
    const revisions = await api.db
      .selectFrom('portal_revision')
      .select(['rev', 'document'])
      .where('portal_id', '=', id)
      .orderBy('rev')
      .execute();
    expect(revisions.map(({ document }) => document.title[0])).toEqual([first.title[0], '二', first.title[0]]);
  });

  it('of an old portal without a document is that of its device type, and stays in the history', async () => {
    const { id } = await api.db
      .insertInto('portal')
      .values({ agent_id: world.eastId, name: '旧门户', create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(await read(world.east, id)).toMatchObject({ template_name: '标准·固定站', rev: 1 });
    expect((await saved(world.east, id, { title: '新' })).code).toBe(0);
    expect((await world.east.call(calls.history, { id })).data.list.map(({ rev }) => rev)).toEqual([2, 1]);
  });
});

describe('the preview of a portal', () => {
  const pathOf = async (id: number) => (await read(world.east, id)).preview;

  it('serves the exact output of the renderer for the draft or a revision, without cookies', async () => {
    const id = await makePortal(api, world.east, '预览');
    const doc = docOf((await read(world.east, id)).document);
    const draft: PortalDocument = { ...doc, title: ['草稿', 'Draft'] };
    await world.east.call(calls.draft, { id, base_version: 1, document: { ...draft } });
    const path = await pathOf(id);
    for (const [source, shown] of [
      ['draft', draft],
      ['rev-1', doc],
    ] as const) {
      const root = `${path}${source}/`;
      const response = await fetch(`${api.base}${root}en/used/`);
      expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'.*frame-ancestors 'self'$/);
      expect(response.headers.get('x-robots-tag')).toBe('noindex');
      expect(response.headers.get('set-cookie')).toBeNull();
      const data = sampleData('used', 'en', { root, here: `${root}en/used/`, other: `${root}zh/used/` });
      expect(await response.text()).toBe(siteOf(shown).page('used', 'en', data));
      const asset = [...siteOf(shown).assets.keys()][0];
      expect((await fetch(`${api.base}${root}asset/${asset}`)).headers.get('content-type')).toContain('text/css');
    }
    expect((await fetch(`${api.base}${path}draft/zh/out/register`)).status).toBe(200);
    expect((await fetch(`${api.base}${path}draft/qr.svg`)).headers.get('content-type')).toContain('svg');
  });

  it('shows the logo that its VNO has or inherits, and serves no other logo', async () => {
    const logoOf = async (by: Caller) =>
      `logo/${(await uploadFile(api, by, infoCalls.agentLogo, await pngOf(190, 60), 'logo.png')).data.agent_logo?.split('/').at(-1)}`;
    const parent = await logoOf(world.east);
    const foreign = await logoOf(world.west);
    const path = await pathOf(await makePortal(api, world.child, '下级预览'));
    for (const source of ['draft', 'rev-1']) {
      const root = `${path}${source}/`;
      expect(await (await fetch(`${api.base}${root}zh/out/`)).text()).toContain(`<img class="logo" src="${root}${parent}"`);
      const file = await fetch(`${api.base}${root}${parent}`);
      expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect((await fetch(`${api.base}${root}${foreign}`)).status).toBe(404);
    }
  });

  it('returns 404 for unknown paths, for another portal, and for an altered or expired token', async () => {
    const id = await makePortal(api, world.east, '过期');
    const path = await pathOf(id);
    const status = async (at: string) => (await fetch(`${api.base}${at}`)).status;
    expect(await status(`${path}draft/zh/out/`)).toBe(200);
    for (const bad of [
      'draft/zh/none/',
      'draft/xx/out/',
      'rev-99/zh/out/',
      'rev-0/zh/out/',
      'draft/img/x.png',
      'draft/asset/../x',
      'template/zh/out/',
      'draft/',
    ])
      expect(await status(`${path}${bad}`), bad).toBe(404);
    expect(await status(`${path.slice(0, -4)}AAA/draft/zh/out/`)).toBe(404);
    const other = await makePortal(api, world.east, '另一门户');
    expect((await saved(world.east, other, { title: '新' })).code).toBe(0);
    expect(await status(`${await pathOf(other)}rev-2/zh/out/`)).toBe(200);
    expect(await status(`${path}rev-2/zh/out/`)).toBe(404);
    expect((await world.west.call(calls.read, { id: other })).code).toBe(errors.not_found.code);
    const old = previewPath(api.deps.config, { kind: 'portal', id, uid: 1, until: api.clock.now() - 1 });
    expect(await status(`${old}draft/zh/out/`)).toBe(404);
  });

  it('in the list is a PNG thumbnail of a saved revision', async () => {
    const id = await makePortal(api, world.east, '缩略图');
    const [row] = (await world.east.call(calls.list, { name: '缩略图' })).data.list;
    const picture = await fileFrom(world.east, row?.preview ?? '');
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect((await world.east.call(calls.thumbnail, { id, rev: 7 })).status).toBe(404);
  });
});

describe('a template package', () => {
  it('is listed, previewed, used by a portal, and deleted when no portal uses it', async () => {
    const made = await uploadPackage(api, world.east, '港湾', await goodPackage());
    expect(made.code, JSON.stringify(made)).toBe(0);
    const template_id = made.data.id;
    const { list } = (await world.east.call(calls.templates, { limit: 50 })).data;
    expect(list.map(({ name, is_default }) => [name, is_default])).toEqual([
      ...['固定站', '车载站', '船载站', '便携站'].map((type) => [`标准·${type}`, true]),
      ['港湾', false],
    ]);
    expect((await world.east.call(calls.templateOption, { device_type: 'ship' })).data).toEqual({
      [await builtInTemplate(api, 'ship')]: '标准·船载站',
      [template_id]: '港湾',
    });
    const above = await uploadPackage(api, world.admin, '港湾', await goodPackage());
    const rows = (await world.east.call(calls.templates, { limit: 50 })).data.list.filter(({ name }) => name === '港湾');
    const platform = rows.find((row) => row.id === above.data.id)?.agent_name ?? '';
    expect(rows.map((row) => row.agent_name)).toEqual(['VNO east', platform]);
    expect((await world.east.call(calls.templateOption, { device_type: 'ship' })).data).toMatchObject({
      [template_id]: '港湾 · VNO east',
      [above.data.id]: `港湾 · ${platform}`,
    });
    expect((await world.admin.call(calls.removeTemplate, { id: above.data.id })).code).toBe(0);
    const id = await makePortal(api, world.east, '港湾门户', { template_id });
    expect(await read(world.east, id)).toMatchObject({ agent_name: 'VNO east', outdated_ids: [] });
    const { preview, document } = await read(world.east, id);
    expect(docOf(document).blocks.map(({ kind }) => kind)).toEqual(['header', 'fragment', 'login', 'packages']);
    const page = await (await fetch(`${api.base}${preview}draft/zh/out/`)).text();
    expect(page).toContain('欢迎 &#123;&#123;account&#125;&#125; &amp; bon voyage');
    const src = /<img src="([^"]+)"[^>]*alt="Harbour"/.exec(page)?.[1] ?? '';
    expect((await fetch(`${api.base}${src}`)).headers.get('content-type')).toBe('image/png');
    const used = await world.east.call(calls.removeTemplate, { id: template_id });
    expect(used).toMatchObject({ code: errors.portal_template_in_use.code, msg: expect.stringContaining('港湾门户') });
    expect((await fileFrom(world.east, `portal/template/thumbnail/${template_id}`)).status).toBe(200);
    await world.admin.call(calls.setDefault, { id });
    expect((await saved(world.east, id, { template_id: await builtInTemplate(api, 'ship') })).code).toBe(0);
    expect((await world.east.call(calls.removeTemplate, { id: template_id })).code).toBe(0);
    expect((await world.east.call(calls.revert, { id, rev: 1 })).code).toBe(0);
    expect(await (await fetch(`${api.base}${(await read(world.east, id)).preview}rev-3/zh/out/`)).text()).toContain('bon voyage');
  });

  it('of a parent VNO can be used but not deleted, and is not found from another branch', async () => {
    const { data } = await uploadPackage(api, world.east, '上级模板', await goodPackage());
    expect((await makePortal(api, world.child, '用上级', { template_id: data.id })) > 0).toBe(true);
    expect((await world.child.call(calls.removeTemplate, { id: data.id })).status).toBe(403);
    expect((await world.west.call(calls.removeTemplate, { id: data.id })).status).toBe(404);
    const input = { name: '偷', template_id: data.id, device_type: 'ship', billing_type: 'free' };
    expect(fieldsOf(await world.west.call(calls.create, input))).toHaveProperty('template_id');
    expect((await world.east.call(calls.removeTemplate, { id: await builtInTemplate(api, 'ship') })).code).toBe(
      errors.portal_template_built_in.code,
    );
  });

  it('with a script is refused with file and line', async () => {
    const files = { ...(await goodPackage()), 'fragments/hello.html': '<p>ok</p>\n<script>alert(1)</script>' };
    const refused = await uploadPackage(api, world.east, '坏模板', files);
    expect(fieldsOf(refused).file).toBe('fragments/hello.html 第2行：不允许使用 <script>');
    expect((await world.east.call(calls.templates, { limit: 50 })).data.list.map(({ name }) => name)).not.toContain('坏模板');
  });
});

describe('the site that subscribers see', () => {
  it('is the portal of the device, else the default of the nearest VNO, else the built-in document', async () => {
    const west = await api.db
      .selectFrom('portal')
      .select('id')
      .where('agent_id', '=', world.westId)
      .where('is_default', '=', true)
      .executeTakeFirst();
    const own = await makePortal(api, world.west, '本船门户');
    const device = await fleet.add(world.westId, { portal_id: own });
    const at = (device_id: number | undefined, agent_id: number) => currentSite(api.deps, { device_id, agent_id });
    expect(await at(device.id, world.westId)).toMatchObject({ portal_id: own, rev: 1, name: '本船门户', billing_type: 'charged' });
    expect(await at(undefined, world.westId)).toMatchObject({ portal_id: west?.id });
    // The portal of a device of another VNO is not shown.
    expect((await at(device.id, world.eastId)).portal_id).not.toBe(own);
    await api.db.updateTable('portal').set({ is_default: false }).where('agent_id', '=', world.childId).execute();
    const above = await at(undefined, world.childId);
    const east = await api.db
      .selectFrom('portal')
      .select('id')
      .where('agent_id', '=', world.eastId)
      .where('is_default', '=', true)
      .executeTakeFirst();
    expect(above.portal_id).toBe(east?.id);
    await api.db.updateTable('portal').set({ is_default: false }).execute();
    const none = await at(undefined, world.childId);
    expect(none).toMatchObject({ portal_id: null, rev: 0 });
    expect(none.doc.title[0]).not.toBe('');
    const same = await at(device.id, world.westId);
    expect((await at(device.id, world.westId)).site).toBe(same.site);
    await saved(world.west, own, { title: '改' });
    expect((await at(device.id, world.westId)).rev).toBe(2);
  });

  it('serves only images that it shows', async () => {
    const { data } = await uploadImage(api, world.east, await pngOf(20, 20));
    expect(await portalImage(api.deps, [data], data.sha256)).toMatchObject({ mime: 'image/png' });
    expect(await portalImage(api.deps, [], data.sha256)).toBeUndefined();
    expect(await portalImage(api.deps, [{ ...data, sha256: 'b'.repeat(64) }], 'b'.repeat(64))).toBeUndefined();
  });
});
