import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import type { portalCalls as calls } from '@farlink/contract/market/portal.ts';
import type { PortalDocument } from '@farlink/portal/document.ts';
import { type FormFields, formFieldsOf, withFormFields } from '@farlink/portal/form-fields.ts';
import { sql } from 'kysely';
import { ownerName } from '../../domain/portal/current-site.ts';
import { firstDocument, partsOf } from '../../domain/portal/portal-document.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { requireOwnVno } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { requireDocument, requireImages, saveImage } from './document-input.ts';
import { lockPortal, type PortalRow, requireTemplate, savedPortal, type TemplateRow } from './find-portal.ts';

interface Revision {
  readonly rev: number;
  readonly doc: PortalDocument;
  readonly template_id: number | null;
  readonly parts_sha256: string | null;
}

const addRevision = (ctx: Ctx, portal_id: number, { rev, doc, template_id, parts_sha256 }: Revision) =>
  ctx.db
    .insertInto('portal_revision')
    .values({
      portal_id,
      rev,
      template_id,
      parts_sha256,
      document: JSON.stringify(doc),
      operator: ctx.me.name,
      create_at: ctx.now(),
    })
    .execute();

export const createPortal: Handler<typeof calls.create> = async (ctx, { name, template_id, device_type, billing_type }) => {
  requireOwnVno(ctx);
  const { agent_id } = ctx.me;
  // The lock of the VNO decides which of two first portals is the default.
  await ctx.db.selectFrom('agent').select('id').where('id', '=', agent_id).forNoKeyUpdate().executeTakeFirstOrThrow();
  const template = await requireTemplate(ctx, template_id, { agent_id, device_type });
  const now = ctx.now();
  const { id } = await ctx.db
    .insertInto('portal')
    .values({
      agent_id,
      name,
      template_id,
      device_type,
      billing_type,
      create_at: now,
      update_at: now,
      is_default: sql<boolean>`not exists (select from portal other where other.agent_id = ${agent_id} and other.is_default)`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const owner = await ownerName(ctx.db, agent_id);
  const doc = firstDocument({ device_type, billing_type, owner, manifest: template.manifest });
  await addRevision(ctx, id, { rev: 1, doc, template_id, parts_sha256: template.parts_sha256 });
  record(ctx, [`新增门户 ${name}`, `Created portal ${name}`], { after: { name, template: template.name, device_type, billing_type } });
  return { id };
};

/** A new revision of a portal, with the row that describes it. */
export const saveRevision = async (
  ctx: Ctx,
  portal: PortalRow,
  next: Pick<PortalRow, 'name' | 'billing_type'> & Omit<Revision, 'rev' | 'template_id'> & { readonly template_id: number },
) => {
  const { isStored, doc } = await savedPortal(ctx, portal);
  // The state before the first change is kept too.
  if (!isStored) await addRevision(ctx, portal.id, { rev: portal.rev, doc, template_id: portal.template_id, parts_sha256: null });
  const version = portal.version + 1;
  const rev = portal.rev + 1;
  const { name, billing_type, template_id } = next;
  await ctx.db
    .updateTable('portal')
    .set({ name, billing_type, template_id, rev, version, update_at: ctx.now() })
    .where('id', '=', portal.id)
    .execute();
  await addRevision(ctx, portal.id, { ...next, rev });
  return { version, rev };
};

type Input = InputOf<typeof calls.update>;

const maxBanners = 5;

/** Fields of the form that the request has; a cleared text is empty. */
const formFields = async (ctx: Ctx, agent_id: number, input: Input, doc: PortalDocument): Promise<Partial<FormFields>> => {
  const { title, welcome, link, agreement } = input;
  const texts = Object.fromEntries(
    Object.entries({ title, welcome, link, agreement }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value ?? '']])),
  );
  const banner = await saveImage(ctx, agent_id, 'banner', input.banner);
  const background = await saveImage(ctx, agent_id, 'background', input.background);
  const logo = await saveImage(ctx, agent_id, 'logo', input.logo);
  const before = formFieldsOf(doc, ctx.lang).banner;
  if (banner && before.length >= maxBanners) throw failAt('banner', [`轮播图最多${maxBanners}张`, `At most ${maxBanners} banners`]);
  return {
    ...texts,
    ...(banner && { banner: [...before, banner.image] }),
    ...(background && { background: background.image }),
    ...(logo && { logo: logo.image }),
  };
};

/** A template that is chosen without a document gives the portal its theme. */
const withTheme = (doc: PortalDocument, portal: PortalRow, { id, device_type, manifest }: TemplateRow): PortalDocument => {
  if (portal.template_id === id || portal.template_id === null) return doc;
  const { billing_type } = portal;
  return { ...doc, theme: firstDocument({ device_type, billing_type, owner: doc.title, manifest }).theme };
};

export const updatePortal: Handler<typeof calls.update> = async (ctx, input) => {
  const portal = await lockPortal(ctx, input.id);
  if (portal.version !== input.version) throw fail('stale');
  const template = await requireTemplate(ctx, input.template_id, portal);
  const saved = await savedPortal(ctx, portal);
  const start = input.document ? requireDocument(input.document) : withTheme(saved.doc, portal, template);
  const fields = await formFields(ctx, portal.agent_id, input, start);
  const doc = requireDocument(withFormFields(start, fields, ctx.lang));
  const parts = await partsOf(ctx.db, template.parts_sha256);
  await requireImages(ctx, portal.agent_id, doc, parts.images);
  const { name, billing_type } = input;
  const before = { name: portal.name, billing_type: portal.billing_type, template_id: portal.template_id ?? template.id };
  const after = { name, billing_type, template_id: template.id };
  if (JSON.stringify([before, saved.doc]) === JSON.stringify([after, doc])) throw fail('unchanged');
  const made = await saveRevision(ctx, portal, { ...after, doc, parts_sha256: template.parts_sha256 });
  await ctx.db.deleteFrom('portal_draft').where('portal_id', '=', portal.id).where('customer_id', '=', ctx.me.uid).execute();
  record(ctx, [`修改门户 ${portal.name}`, `Changed portal ${portal.name}`], {
    before: { ...before, rev: portal.rev },
    after: { ...after, rev: made.rev },
  });
  return made;
};

/** Names in a refusal; more are counted. */
const maxNames = 5;
export const namesText = (names: readonly string[]): readonly [string, string] => {
  const more = names.length - maxNames;
  const shown = names.slice(0, maxNames);
  const zh = shown.join('、');
  const en = shown.join(', ');
  return more > 0 ? [`${zh} 等${names.length}个`, `${en} and ${more} more`] : [zh, en];
};

export const removePortal: Handler<typeof calls.remove> = async (ctx, { id }) => {
  const portal = await lockPortal(ctx, id);
  if (portal.is_default) throw fail('portal_default');
  const devices = await ctx.db.selectFrom('device').select(['name', 'sn']).where('portal_id', '=', id).orderBy('name').execute();
  if (devices.length > 0) throw fail('portal_in_use', { args: [namesText(devices.map(({ name, sn }) => name || sn))] });
  await ctx.db.deleteFrom('portal').where('id', '=', id).execute();
  record(ctx, [`删除门户 ${portal.name}`, `Deleted portal ${portal.name}`], { before: { name: portal.name, rev: portal.rev } });
};

export const makeDefault: Handler<typeof calls.setDefault> = async (ctx, { id }) => {
  const portal = await lockPortal(ctx, id);
  if (portal.is_default) throw fail('unchanged');
  await ctx.db
    .updateTable('portal')
    .set({ is_default: false })
    .where('agent_id', '=', portal.agent_id)
    .where('is_default', '=', true)
    .execute();
  await ctx.db
    .updateTable('portal')
    .set({ is_default: true, version: portal.version + 1 })
    .where('id', '=', id)
    .execute();
  record(ctx, [`将门户 ${portal.name} 设为默认`, `Made ${portal.name} the default portal`]);
  return null;
};

/** The old state is saved again as a new revision, so nothing is lost. */
export const revertPortal: Handler<typeof calls.revert> = async (ctx, { id, rev }) => {
  const portal = await lockPortal(ctx, id);
  const old = await ctx.db
    .selectFrom('portal_revision')
    .select(['document', 'template_id', 'parts_sha256'])
    .where('portal_id', '=', id)
    .where('rev', '=', rev)
    .executeTakeFirst();
  if (!old) throw failAt('rev', ['版本不存在', 'No such revision']);
  if (rev === portal.rev) throw fail('unchanged');
  const { name, billing_type } = portal;
  const template = old.template_id ?? portal.template_id;
  const doc = requireDocument(old.document);
  const made = await saveRevision(ctx, portal, {
    name,
    billing_type,
    doc,
    parts_sha256: old.parts_sha256,
    template_id: template ?? (await builtInId(ctx, portal)),
  });
  record(ctx, [`将门户 ${name} 恢复到版本 ${rev}`, `Reverted portal ${name} to revision ${rev}`], {
    before: { rev: portal.rev },
    after: { rev: made.rev },
  });
  return made;
};

const builtInId = async (ctx: Ctx, { device_type }: PortalRow) =>
  (await ctx.db.selectFrom('portal_template').select('id').where('code', '=', device_type).executeTakeFirstOrThrow()).id;
