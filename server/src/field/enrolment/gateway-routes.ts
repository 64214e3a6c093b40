import { commandState } from '@farlink/contract/protocol/command.ts';
import { enrol } from '@farlink/gateway/protocol/message.ts';
import { obj, parse, type Shape, str } from '@farlink/gateway/protocol/shape.ts';
import { snPattern } from '@farlink/gateway/protocol/topic.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../../kit/deps.ts';
import { authenticator } from './authenticate.ts';
import { EnrolLimited, enrolDevice } from './binding.ts';
import { enrolLimitsOf } from './enrol-limits.ts';
import { perWindow } from './per-window.ts';

const sn = str(64, snPattern);
const enrolBody = obj({ sn }, { code: str(128) });
const keyBody = obj({ sn, key: str(128) });

interface GatewayReply {
  readonly status: number;
  readonly body?: object;
}

const good = 204;
const notYet = 202;
const unknown = 401;
const suspended = 403;
const tooMany = 429;
/** A whole fleet behind one address may change its keys at once. */
const keysPerMinute = 3000;

/**
 * A broker does not report the passwords of its clients. Gateways behind a broker request their key here, and present a new key here before
 * they use it.
 */
export const gatewayRoutes = (deps: Deps) => async (app: FastifyInstance) => {
  const now = () => deps.clock.now();
  const admit = authenticator(deps, now);
  const limits = enrolLimitsOf(deps.pool);
  const mayPresentKey = perWindow(keysPerMinute, 60_000);

  /** A key takes effect when the reply of the gateway is stored. The reply may still be queued at the broker. */
  const isKeyPending = async (sn: string) =>
    (await deps.db
      .selectFrom('device_command')
      .innerJoin('device', 'device.id', 'device_command.device_id')
      .select('device_command.id')
      .where('device.sn', '=', sn)
      .where('op', '=', 'key.set')
      .where('state', '<', commandState.id('done'))
      .limit(1)
      .executeTakeFirst()) !== undefined;

  interface Route<T> {
    readonly shape: Shape<T>;
    readonly mayRequest: (address: string) => boolean;
    readonly serve: (body: T, request: FastifyRequest) => Promise<GatewayReply>;
  }
  const post = <T>(url: string, { shape, mayRequest, serve }: Route<T>) =>
    app.route({
      method: 'POST',
      url,
      bodyLimit: 4096,
      handler: async (request, reply) => {
        if (!mayRequest(request.ip)) return reply.status(tooMany).header('retry-after', 60).send();
        const parsed = parse(shape, request.body);
        const { status, body } = 'reason' in parsed ? { status: 400, body: { reason: parsed.reason } } : await serve(parsed.value, request);
        if (status === tooMany) reply.header('retry-after', 3600);
        return reply.status(status).header('cache-control', 'no-store').send(body);
      },
    });

  post('/gateway/enrol', {
    shape: enrolBody,
    mayRequest: limits.mayRequest,
    serve: async ({ sn, code = '' }, { body, ip }) => {
      const message = parse(enrol, body);
      if ('reason' in message) return { status: 400, body: { reason: message.reason } };
      try {
        return {
          status: 200,
          body: await enrolDevice(deps.db, sn, code, message.value, now(), (tx, vno) => limits.mayAdd(tx, ip, vno, now())),
        };
      } catch (error) {
        if (error instanceof EnrolLimited) return { status: tooMany };
        throw error;
      }
    },
  });

  post('/gateway/key', {
    shape: keyBody,
    mayRequest: mayPresentKey,
    serve: async ({ sn, key }) => {
      const admission = await admit(sn, { key });
      if (!('refused' in admission)) return { status: good };
      if (admission.refused === 'suspended') return { status: suspended };
      return { status: (await isKeyPending(sn)) ? notYet : unknown };
    },
  });
};
