import type { portalCalls as calls } from '@farlink/contract/market/portal.ts';
import { portalImage } from '../../domain/portal/portal-image.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { FileResponse } from '../../kit/files/file-response.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { notImage, saveImage } from './document-input.ts';
import { findPortal } from './find-portal.ts';

export const uploadResource: Handler<typeof calls.upload> = async (ctx, { file, portal_id }) => {
  const agent_id = typeof portal_id === 'number' ? (await findPortal(ctx, portal_id)).agent_id : ctx.me.agent_id;
  const saved = await saveImage(ctx, agent_id, 'file', file);
  if (!saved) throw failAt('file', notImage);
  const { id, image, name } = saved;
  record(ctx, [`上传门户素材 ${name}`, `Uploaded portal image ${name}`], { after: { ...image } });
  return { ...image, url: `portal/resource/image/${id}` };
};

export const readResource: Handler<typeof calls.resourceImage> = async (ctx, { id }) => {
  const image = await ctx.db
    .selectFrom('portal_resource')
    .select(['sha256', 'ext'])
    .where('id', '=', id)
    .where(inScope(ctx.me, 'portal_resource.agent_id'))
    .executeTakeFirst();
  const found = image && (await portalImage(ctx.deps, [image], image.sha256));
  if (!found) throw fail('not_found');
  return new FileResponse({ body: found.body, type: found.mime, size: found.body.length });
};
