import { commandState } from '@farlink/gateway/protocol/command.ts';
import { enrol } from '@farlink/gateway/protocol/message.ts';
import { obj, parse, type Shape, str } from '@farlink/gateway/protocol/shape.ts';
import { snPattern } from '@farlink/gateway/protocol/topic.ts';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../kit/deps.ts';
import { authenticator } from './authenticate.ts';
import { enrolDevice } from './binding.ts';
import { enrolmentsPerMinute, perMinute } from './per-minute.ts';

const sn = str(64, snPattern);
const stranger = obj({ sn }, { code: str(128) });
const shown = obj({ sn, key: str(128) });

interface Answer {
  readonly status: number;
  readonly body?: object;
}

const [good, notYet, unknown, suspended] = [204, 202, 401, 403];

/**
 * A broker keeps the passwords to itself that gateways show it. Who comes over one asks the console here for its key, and shows here
 * a new one before it uses it.
 */
export const gatewayRoutes = (deps: Deps) => async (app: FastifyInstance) => {
  const now = () => deps.clock.now();
  const admit = authenticator(deps, now);
  const mayTry = perMinute(enrolmentsPerMinute);

  /** A key that the gateway has taken comes into force when its answer has been heard, which may be behind it in the broker. */
  const isOnItsWay = async (sn: string) =>
    (await deps.db
      .selectFrom('device_command')
      .innerJoin('device', 'device.id', 'device_command.device_id')
      .select('device_command.id')
      .where('device.sn', '=', sn)
      .where('op', '=', 'key.set')
      .where('state', '<', commandState.id('done'))
      .limit(1)
      .executeTakeFirst()) !== undefined;

  const post = <T>(url: string, shape: Shape<T>, serve: (body: T, raw: unknown) => Promise<Answer>) =>
    app.route({
      method: 'POST',
      url,
      bodyLimit: 4096,
      handler: async (request, reply) => {
        if (!mayTry(request.ip)) return reply.status(429).header('retry-after', 60).send();
        const parsed = parse(shape, request.body);
        const { status, body } =
          'reason' in parsed ? { status: 400, body: { reason: parsed.reason } } : await serve(parsed.value, request.body);
        return reply.status(status).header('cache-control', 'no-store').send(body);
      },
    });

  post('/gateway/enrol', stranger, async ({ sn, code = '' }, raw) => {
    const said = parse(enrol, raw);
    if ('reason' in said) return { status: 400, body: { reason: said.reason } };
    return { status: 200, body: await enrolDevice(deps.db, sn, code, said.value, now()) };
  });

  post('/gateway/key', shown, async ({ sn, key }) => {
    const admission = await admit(sn, { key });
    if (!('refused' in admission)) return { status: good };
    if (admission.refused === 'suspended') return { status: suspended };
    return { status: (await isOnItsWay(sn)) ? notYet : unknown };
  });
};
