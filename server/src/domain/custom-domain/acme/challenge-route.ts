import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../../../kit/deps.ts';
import { hostNameOf } from '../domain-registry.ts';
import { challengePath } from '../domain-rules.ts';

/** Answers pending HTTP-01 challenges (RFC 8555, section 8.3) from the database, so every process can answer. */
export const challengeRoute = (app: FastifyInstance, { db }: Pick<Deps, 'db'>) => {
  app.get(`${challengePath}:token`, async (request: FastifyRequest<{ Params: { token: string } }>, reply) => {
    const { token } = request.params;
    reply.header('cache-control', 'no-store').type('application/octet-stream');
    if (!/^[\w-]{16,512}$/.test(token)) return reply.code(404).send();
    const order = await db
      .selectFrom('acme_order')
      .select('key_authorization')
      .where('token', '=', token)
      .where('domain', '=', hostNameOf(request.host ?? ''))
      .where('state', '=', 'validating')
      .executeTakeFirst();
    return order?.key_authorization ? reply.send(order.key_authorization) : reply.code(404).send();
  });
};
