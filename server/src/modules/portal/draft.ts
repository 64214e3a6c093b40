import type { portalCalls as calls } from '@farlink/contract/market/portal.ts';
import { partsOf } from '../../domain/portal/portal-document.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { requireDocument, requireImages } from './document-input.ts';
import { findPortal, templateOf } from './find-portal.ts';

/** Unsaved work is kept even if the portal has changed, so that the editor can compare the two. */
export const saveDraft: Handler<typeof calls.draft> = async (ctx, { id, document, base_version }) => {
  const portal = await findPortal(ctx, id);
  const doc = requireDocument(document);
  const template = await templateOf(ctx, portal);
  const parts = await partsOf(ctx.db, template.parts_sha256);
  await requireImages(ctx, portal.agent_id, doc, parts.images);
  const row = { base_version: Math.min(base_version, portal.version), document: JSON.stringify(doc), update_at: ctx.now() };
  await ctx.db
    .insertInto('portal_draft')
    .values({ portal_id: id, customer_id: ctx.me.uid, ...row })
    .onConflict((conflict) => conflict.columns(['portal_id', 'customer_id']).doUpdateSet(row))
    .execute();
  return { update_at: row.update_at, stale: row.base_version !== portal.version };
};

export const discardDraft: Handler<typeof calls.discardDraft> = async (ctx, { id }) => {
  await findPortal(ctx, id);
  await ctx.db.deleteFrom('portal_draft').where('portal_id', '=', id).where('customer_id', '=', ctx.me.uid).execute();
  return null;
};
