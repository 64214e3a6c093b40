import { limits } from '@farlink/contract/limits.ts';
import { portalCalls as calls } from '@farlink/contract/market/portal.ts';
import type { PortalDocument, PortalImage } from '@farlink/portal/document.ts';
import { formFieldsOf } from '@farlink/portal/form-fields.ts';
import { type Selectable, type SqlBool, sql } from 'kysely';
import type { PortalTable } from '../../db/tables.ts';
import { previewPath, previewS } from '../../domain/portal/preview-token.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { ownedOptions } from '../../kit/list/owned-options.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';
import { findPortal, portalScope, savedPortal, templateName, templateOf, usableBy } from './find-portal.ts';

/** Only devices that the session may see are counted. */
const deviceCount = ({ me }: Ctx) => sql<number>`(select count(*) from device where device.portal_id = portal.id
  and ${inScope(me, 'device.agent_id', 'device.id')})`;

type Sendable = Pick<Selectable<PortalTable>, 'id' | 'rev' | 'create_at' | 'update_at'>;

/** Without devices that this revision is already being sent to. */
const outdatedIds = async ({ db, me }: Ctx, { id, rev, create_at, update_at }: Sendable) => {
  const rows = await db
    .selectFrom('device')
    .select('id')
    .where('portal_id', '=', id)
    .where(sql<SqlBool>`portal_rev is distinct from ${rev}`)
    .where(
      sql<SqlBool>`not exists (select from portal_task t where t.device_id = device.id and t.portal_id = ${id} and not t.ended
        and t.create_at >= ${update_at ?? create_at})`,
    )
    .where(inScope(me, 'device.agent_id', 'device.id'))
    .orderBy('id')
    .limit(limits.fileDevices)
    .execute();
  return rows.map((device) => device.id);
};

const portalQuery = (ctx: Ctx) =>
  ctx.db
    .selectFrom('portal')
    .innerJoin('agent', 'agent.id', 'portal.agent_id')
    .innerJoin('portal_template', (join) =>
      join.on(
        sql<SqlBool>`case when portal.template_id is null then portal_template.code = portal.device_type else portal_template.id = portal.template_id end`,
      ),
    )
    .select([
      'portal.id',
      'portal.version',
      'portal.rev',
      'portal.name',
      'portal.device_type',
      'portal.billing_type',
      'portal.is_default',
      'portal.send_at',
      'portal.update_at',
      'portal.create_at',
      'portal.agent_id as vno_id',
      'agent.name as agent_name',
      'portal_template.name as template_name',
      'portal_template.code',
      'portal_template.id as template_id',
      sql<string>`'portal/thumbnail/' || portal.id || '/' || portal.rev`.as('preview'),
      deviceCount(ctx).as('device_count'),
    ])
    .where(portalScope(ctx));

export const listPortals: Handler<typeof calls.list> = async (ctx, input) => {
  const { list, ...rest } = await pageOf(ctx.db, calls.list, input, portalQuery(ctx));
  return {
    ...rest,
    list: list.map(({ code, ...row }) => ({ ...row, template_name: templateName(ctx, { code, name: row.template_name }) })),
  };
};

/** The image as a resource of the console. Images of a template package have no row of their own. */
const resourcesOf = async (ctx: Ctx, agent_id: number, images: readonly PortalImage[]) => {
  const rows = await ctx.db
    .selectFrom('portal_resource')
    .select(['id', 'sha256'])
    .where('agent_id', '=', agent_id)
    .where(sql<SqlBool>`sha256 = any(${images.map(({ sha256 }) => sha256)}::text[])`)
    .execute();
  const ids = new Map(rows.map(({ id, sha256 }) => [sha256, id]));
  return (image: PortalImage) => ({ ...image, url: ids.has(image.sha256) ? `portal/resource/image/${ids.get(image.sha256)}` : '' });
};

const formOf = async (ctx: Ctx, agent_id: number, doc: PortalDocument) => {
  const { banner, background, logo, ...texts } = formFieldsOf(doc, ctx.lang);
  const images = [...banner, ...[background, logo].filter((one) => one !== null)];
  const resource = await resourcesOf(ctx, agent_id, images);
  return {
    ...texts,
    banner: banner.map(resource),
    background: background && resource(background),
    logo: logo && resource(logo),
  };
};

/** Unsaved work: that of this operator, and the names of others with such work. */
const draftsOf = async (ctx: Ctx, id: number) => {
  const rows = await ctx.db
    .selectFrom('portal_draft')
    .innerJoin('customer', 'customer.id', 'portal_draft.customer_id')
    .select(['portal_draft.customer_id', 'portal_draft.document', 'portal_draft.base_version', 'portal_draft.update_at'])
    .select(operatorName(ctx, 'customer.name', 'customer.agent_id').as('name'))
    .where('portal_id', '=', id)
    .orderBy('portal_draft.update_at', 'desc')
    .execute();
  const own = rows.find(({ customer_id }) => customer_id === ctx.me.uid);
  return {
    draft: own ? { document: { ...own.document }, base_version: own.base_version, update_at: own.update_at } : null,
    others: rows.filter((row) => row !== own).map(({ name }) => name),
  };
};

export const readPortal: Handler<typeof calls.read> = async (ctx, { id }) => {
  const portal = await findPortal(ctx, id);
  const [{ doc, parts }, template, row] = [
    await savedPortal(ctx, portal),
    await templateOf(ctx, portal),
    await portalQuery(ctx).where('portal.id', '=', id).executeTakeFirstOrThrow(),
  ];
  const { version, rev, name, device_type, billing_type, is_default, send_at, update_at, create_at } = portal;
  return {
    id,
    version,
    rev,
    name,
    device_type,
    billing_type,
    is_default,
    send_at,
    update_at,
    create_at,
    template_id: template.id,
    template_name: templateName(ctx, template),
    template: { css: parts.css, fragments: parts.fragments },
    device_count: Number(row.device_count),
    outdated_ids: await outdatedIds(ctx, portal),
    agent_name: row.agent_name,
    document: { ...doc },
    ...(await draftsOf(ctx, id)),
    preview: previewPath(ctx.deps.config, { kind: 'portal', id, uid: ctx.me.uid, until: ctx.now() + previewS }),
    ...(await formOf(ctx, portal.agent_id, doc)),
  };
};

export const listRevisions: Handler<typeof calls.history> = async (ctx, { id, ...input }) => {
  await findPortal(ctx, id);
  return pageOf(
    ctx.db,
    calls.history,
    input,
    ctx.db
      .selectFrom('portal_revision')
      .select([
        'portal_revision.rev as id',
        'portal_revision.rev',
        operatorName(ctx, 'portal_revision.operator').as('operator'),
        'portal_revision.create_at',
      ])
      .where('portal_id', '=', id),
  );
};

/** Templates of the library: built in, of the branch, and of VNOs above. */
const templateQuery = (ctx: Ctx) =>
  ctx.db
    .selectFrom('portal_template')
    .leftJoin('agent', 'agent.id', 'portal_template.agent_id')
    .select([
      'agent.name as agent_name',
      'portal_template.id',
      'portal_template.version',
      'portal_template.name',
      'portal_template.code',
      'portal_template.device_type',
      'portal_template.create_at',
      'portal_template.agent_id',
      sql<string>`'portal/template/thumbnail/' || portal_template.id`.as('preview'),
      sql<boolean>`portal_template.agent_id is null`.as('is_default'),
    ])
    .where(sql<SqlBool>`(${usableBy(ctx.me.agent_id)} or ${inScope(ctx.me, 'portal_template.agent_id')})`);

export const listTemplates: Handler<typeof calls.templates> = async (ctx, input) => {
  const { list, ...rest } = await pageOf(ctx.db, calls.templates, input, templateQuery(ctx));
  const until = ctx.now() + previewS;
  const shown = list.map(({ code, agent_id, ...row }) => ({
    ...row,
    // Built-in templates have no time of creation.
    create_at: agent_id === null ? null : row.create_at,
    name: templateName(ctx, { code, name: row.name }),
    preview_path: previewPath(ctx.deps.config, { kind: 'template', id: row.id, uid: ctx.me.uid, until }),
  }));
  return { ...rest, list: shown };
};

export const templateOptions: Handler<typeof calls.templateOption> = async (ctx, { device_type }) => {
  const rows = await templateQuery(ctx)
    .$if(typeof device_type === 'string', (query) => query.where('portal_template.device_type', '=', device_type ?? 'fixed'))
    .orderBy('portal_template.id')
    .limit(10_000)
    .execute();
  const owned = rows.flatMap(({ agent_id, ...row }) => (agent_id === null ? [] : [{ ...row, agent_id }]));
  const builtIn = rows.flatMap((row) => (row.agent_id === null ? [[row.id, templateName(ctx, row)] as const] : []));
  return { ...Object.fromEntries(builtIn), ...ownedOptions(ctx.me, owned) };
};

export const listResources: Handler<typeof calls.resources> = async (ctx, { id, ...input }) => {
  const { agent_id } = await findPortal(ctx, id);
  return pageOf(
    ctx.db,
    calls.resources,
    input,
    ctx.db
      .selectFrom('portal_resource')
      .select([
        'portal_resource.id',
        'portal_resource.name',
        'portal_resource.sha256',
        'portal_resource.ext',
        'portal_resource.width',
        'portal_resource.height',
        'portal_resource.bytes',
        'portal_resource.create_at',
        sql<string>`'portal/resource/image/' || portal_resource.id`.as('preview'),
      ])
      .where('agent_id', '=', agent_id),
  );
};
