import type { PortalDocument, PortalImage } from '@farlink/portal/document.ts';
import { type Site, siteOf } from '@farlink/portal/site.ts';
import type { Db } from '../../kit/deps.ts';
import { ownerName, savedSite } from './current-site.ts';
import { firstDocument, partsOf, shownImages, storedDocument } from './portal-document.ts';
import type { PreviewToken } from './preview-token.ts';

export interface PreviewSite {
  /** VNO of the portal or template; null for a built-in template. */
  readonly agent_id: number | null;
  readonly doc: PortalDocument;
  readonly site: Site;
  readonly images: readonly PortalImage[];
}

/** A portal that uses the template, with sample names. */
export const templateSample = async (db: Db, id: number): Promise<PreviewSite | undefined> => {
  const template = await db.selectFrom('portal_template').selectAll().where('id', '=', id).executeTakeFirst();
  if (!template) return undefined;
  const { device_type, manifest, parts_sha256, agent_id } = template;
  const owner = agent_id === null ? (['远联网络', 'Farlink'] as const) : await ownerName(db, agent_id);
  const doc = firstDocument({ device_type, billing_type: 'charged', owner, manifest });
  const parts = await partsOf(db, parts_sha256);
  return { agent_id, doc, site: siteOf(doc, parts), images: shownImages(doc, parts) };
};

/** The unsaved work of an operator; without any, the saved portal. Images of the VNO that no block shows yet can be previewed too. */
const draftSite = async (db: Db, id: number, uid: number): Promise<PreviewSite | undefined> => {
  const portal = await db
    .selectFrom('portal')
    .leftJoin('portal_template', 'portal_template.id', 'portal.template_id')
    .leftJoin('portal_draft', (join) => join.onRef('portal_draft.portal_id', '=', 'portal.id').on('portal_draft.customer_id', '=', uid))
    .select(['portal.agent_id', 'portal.rev', 'portal.device_type', 'portal.billing_type'])
    .select(['portal_draft.document', 'portal_template.parts_sha256'])
    .where('portal.id', '=', id)
    .executeTakeFirst();
  if (!portal) return undefined;
  const { agent_id, rev, device_type, billing_type, document } = portal;
  const uploads = await db
    .selectFrom('portal_resource')
    .select(['sha256', 'ext', 'width', 'height'])
    .where('agent_id', '=', agent_id)
    .execute();
  if (document === null) {
    const saved = await savedSite(db, id, rev);
    return saved && { ...saved, images: [...saved.images, ...uploads] };
  }
  const parts = await partsOf(db, portal.parts_sha256);
  const doc = storedDocument(document, { device_type, billing_type, owner: await ownerName(db, agent_id) });
  return { agent_id, doc, site: siteOf(doc, parts), images: [...shownImages(doc, parts), ...uploads] };
};

/** What a preview path shows: `draft`, `rev-3` or `template`. Undefined: there is no such thing. */
export const previewSite = async (db: Db, { kind, id, uid }: PreviewToken, source: string): Promise<PreviewSite | undefined> => {
  if (kind === 'template') return source === 'template' ? templateSample(db, id) : undefined;
  if (source === 'draft') return draftSite(db, id, uid);
  const rev = /^rev-([1-9]\d{0,8})$/.exec(source)?.[1];
  return rev === undefined ? undefined : savedSite(db, id, Number(rev));
};
