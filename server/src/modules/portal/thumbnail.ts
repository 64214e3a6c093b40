import type { portalCalls as calls } from '@farlink/contract/market/portal.ts';
import { imagesOf } from '@farlink/portal/document.ts';
import { type SqlBool, sql } from 'kysely';
import { savedSite } from '../../domain/portal/current-site.ts';
import { drawThumbnail } from '../../domain/portal/draw-thumbnail.ts';
import { templateSample } from '../../domain/portal/preview-site.ts';
import { fail } from '../../kit/fail.ts';
import { FileResponse } from '../../kit/files/file-response.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { inScope } from '../../kit/list/scope.ts';
import { findPortal, usableBy } from './find-portal.ts';

const png = (body: Buffer) => new FileResponse({ body, type: 'image/png', size: body.length });

export const portalThumbnail: Handler<typeof calls.thumbnail> = async (ctx, { id, rev }) => {
  await findPortal(ctx, id);
  const saved = await savedSite(ctx.db, id, rev);
  if (!saved) throw fail('not_found');
  return png(await drawThumbnail(ctx.deps, saved.doc, imagesOf(saved.doc)));
};

export const templateThumbnail: Handler<typeof calls.templateThumbnail> = async (ctx, { id }) => {
  const seen = await ctx.db
    .selectFrom('portal_template')
    .select('id')
    .where('id', '=', id)
    .where(sql<SqlBool>`(${usableBy(ctx.me.agent_id)} or ${inScope(ctx.me, 'portal_template.agent_id')})`)
    .executeTakeFirst();
  const sample = seen && (await templateSample(ctx.db, id));
  if (!sample) throw fail('not_found');
  return png(await drawThumbnail(ctx.deps, sample.doc, imagesOf(sample.doc)));
};
