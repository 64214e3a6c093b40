import type { brandCalls as calls } from '@farlink/contract/market/brand.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { brandOfHost, logoUrl } from '../../domain/brand/brand.ts';
import type { Deps } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import type { Handler } from '../../kit/http/serve.ts';

/** Behind a trusted proxy the host is that of the browser's request. */
export const readBrand: Handler<typeof calls.read> = async (ctx) => {
  const { name, logo } = await brandOfHost(ctx.db, ctx.request.hostname);
  return { name, logo: logoUrl(logo) };
};

const types: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg' };

/** Logos for pages without a session. A name is random and never used for other content, so browsers keep the file. */
export const logoRoutes = (deps: Deps) => async (app: FastifyInstance) => {
  app.get('/agt/v1/brand/logo/:name', async (request: FastifyRequest<{ Params: { name: string } }>, reply: FastifyReply) => {
    const { name } = request.params;
    const type = types[/^[0-9a-f]{32}\.(png|jpg)$/.exec(name)?.[1] ?? ''];
    if (type === undefined) throw fail('not_found');
    const body = await openFileStore(deps.config).get(`logo/${name}`);
    return reply
      .type(type)
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'",
        'x-content-type-options': 'nosniff',
      })
      .send(body);
  });
};
