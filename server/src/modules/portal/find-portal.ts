import { say } from '@farlink/contract/kit/text.ts';
import { builtInName, isBuiltInCode } from '@farlink/portal/built-in.ts';
import type { PortalDocument } from '@farlink/portal/document.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { ownerName } from '../../domain/portal/current-site.ts';
import { partsOf, type StoredParts, storedDocument } from '../../domain/portal/portal-document.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { isOfOrAbove } from '../../kit/list/ancestry.ts';
import { lockRow } from '../../kit/list/rows.ts';
import { inScope } from '../../kit/list/scope.ts';

export const portalScope = (ctx: Ctx): RawBuilder<SqlBool> => inScope(ctx.me, 'portal.agent_id');

export const lockPortal = (ctx: Ctx, id: number) => lockRow(ctx, 'portal', id, portalScope(ctx));

export const findPortal = async (ctx: Ctx, id: number) => {
  const portal = await ctx.db.selectFrom('portal').selectAll().where('id', '=', id).where(portalScope(ctx)).executeTakeFirst();
  if (!portal) throw fail('not_found');
  return portal;
};
export type PortalRow = Awaited<ReturnType<typeof findPortal>>;

/** Built-in templates have a name in both languages. */
export const templateName = (
  { lang }: Pick<Ctx, 'lang'>,
  { code, name }: { readonly code: string | null; readonly name: string },
): string => (isBuiltInCode(code) ? say(builtInName(code), lang) : name);

/** Templates that a VNO may use: built in, its own, and those of VNOs above. */
export const usableBy = (agentId: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`(portal_template.agent_id is null or ${isOfOrAbove('portal_template.agent_id', agentId)})`;

/** The template that a form names, for a portal of this VNO and device type. */
export const requireTemplate = async (ctx: Ctx, id: number, { agent_id, device_type }: Pick<PortalRow, 'agent_id' | 'device_type'>) => {
  const template = await ctx.db
    .selectFrom('portal_template')
    .selectAll()
    .where('id', '=', id)
    .where(usableBy(agent_id))
    // A template that is being deleted is not found, and one that is used is not deleted.
    .forKeyShare()
    .executeTakeFirst();
  if (!template) throw failAt('template_id', ['请选择有效的模板', 'Please select a valid template']);
  if (template.device_type !== device_type)
    throw failAt('template_id', ['模板的设备类型与门户不一致', 'The template is made for another device type']);
  return template;
};
export type TemplateRow = Awaited<ReturnType<typeof requireTemplate>>;

/** The template of a portal; without one, the built-in template of its device type. */
export const templateOf = (ctx: Ctx, { template_id, device_type }: Pick<PortalRow, 'template_id' | 'device_type'>) =>
  ctx.db
    .selectFrom('portal_template')
    .selectAll()
    .where((eb) => (template_id === null ? eb('code', '=', device_type) : eb('id', '=', template_id)))
    .executeTakeFirstOrThrow();

export interface SavedPortal {
  readonly doc: PortalDocument;
  readonly parts: StoredParts;
  /** A portal from before revisions existed has none. */
  readonly isStored: boolean;
}

/** The newest saved state of a portal. */
export const savedPortal = async (ctx: Ctx, { id, rev, agent_id, device_type, billing_type }: PortalRow): Promise<SavedPortal> => {
  const revision = await ctx.db
    .selectFrom('portal_revision')
    .select(['document', 'parts_sha256'])
    .where('portal_id', '=', id)
    .where('rev', '=', rev)
    .executeTakeFirst();
  const owner = await ownerName(ctx.db, agent_id);
  return {
    doc: storedDocument(revision?.document ?? null, { device_type, billing_type, owner }),
    parts: await partsOf(ctx.db, revision?.parts_sha256 ?? null),
    isStored: revision !== undefined,
  };
};
