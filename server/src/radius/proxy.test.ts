import { createSocket } from 'node:dgram';
import { codes } from '@farlink/gateway/radius/attributes.ts';
import { encodeReply } from '@farlink/gateway/radius/authenticator.ts';
import { decodePacket, type Packet } from '@farlink/gateway/radius/packet.ts';
import { attribute, octetsOf, textOf } from '@farlink/gateway/radius/values.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accounting, openRadiusWorld, openUdpNas, pap } from '../../test/radius.ts';
import { type ServiceDeps, serviceDeps } from '../../test/setup/service-deps.ts';
import { kickSessions } from '../domain/subscriber/kick-sessions.ts';
import type { Radius } from './radius.ts';

let service: ServiceDeps;
let world: Awaited<ReturnType<typeof openRadiusWorld>>;
let radius: Radius;

beforeAll(async () => {
  service = await serviceDeps();
  world = await openRadiusWorld(service.deps, service.me.agent_id);
  radius = await world.open();
});
afterAll(async () => {
  await radius.close();
  await service.close();
});

const rowOf = (id: number) => service.deps.db.selectFrom('nas').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

it('a trusted proxy sends for the NAS that it names, and kicks find their way back', async () => {
  const socket = createSocket('udp4');
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
  const proxy = await world.makeNas({ is_proxy: true, addr: '127.0.0.1', coa_port: socket.address().port });
  const hotel = await world.makeNas({ identifier: 'hotel', vendor: 'mikrotik' });
  const named = await world.makeNas({ identifier: 'example.org:bar', vendor: 'mikrotik' });
  const elsewhere = await world.makeNas({ identifier: 'elsewhere', agent_id: await world.makeVno() });
  await radius.reload();
  const sender = await openUdpNas(radius, proxy.secret);
  const kicks: Packet[] = [];
  let answer = 0;
  socket.on('message', (bytes, from) => {
    const packet = decodePacket(bytes);
    if (!packet) return;
    kicks.push(packet);
    const reply =
      answer === 0
        ? { code: codes.disconnectAck, attributes: [] }
        : { code: codes.disconnectNak, attributes: [attribute('Error-Cause', answer)] };
    socket.send(encodeReply(reply, packet, proxy.secret), from.port, from.address);
  });
  const pkg = await world.makePackage({ up_speed: 64, down_speed: 64 });
  const online = async (inner: readonly ReturnType<typeof attribute>[]) => {
    const { id, account } = await world.makeAccount({}, pkg);
    const accept = await sender.request(sender.encode(pap(account, world.password, proxy.secret, inner)));
    const own = [...inner, attribute('User-Name', account), attribute('Acct-Session-Id', `p${id}`)];
    await sender.request(
      sender.encode(accounting('start', [...own, attribute('Class', octetsOf(accept ?? { attributes: [] }, 'Class') ?? Buffer.alloc(0))])),
    );
    const [session] = await world.sessions(id);
    if (!accept || !session) throw new Error('no session');
    return { id, accept, session };
  };

  const guest = await online([attribute('NAS-Identifier', 'hotel'), attribute('NAS-IP-Address', '10.9.8.7')]);
  expect(guest.session.nas_id).toBe(hotel.id);
  expect(textOf(guest.accept, 'Mikrotik-Rate-Limit')).toBe('524288/524288');
  const operator = await online([attribute('NAS-Identifier', 'bar'), attribute('Operator-Name', '1example.org')]);
  expect(operator.session.nas_id).toBe(named.id);
  for (const identifier of ['unknown', elsewhere.identifier])
    expect((await online([attribute('NAS-Identifier', identifier)])).session.nas_id).toBe(proxy.id);
  await expect.poll(async () => (await rowOf(hotel.id)).via_nas_id).toBe(proxy.id);

  await kickSessions(service.deps.db, { session: guest.session.id }, { now: service.clock.now() });
  await expect.poll(async () => (await world.sessions(guest.id))[0]?.terminate_cause).toBe('kick');
  const [kick] = kicks;
  expect(kick && [textOf(kick, 'NAS-Identifier'), octetsOf(kick, 'NAS-IP-Address')?.join('.')]).toEqual(['hotel', '10.9.8.7']);

  answer = 502;
  await kickSessions(service.deps.db, { session: operator.session.id }, { now: service.clock.now() });
  await expect
    .poll(() =>
      service.deps.db
        .selectFrom('coa_task')
        .select(['state', 'error_cause'])
        .where('session_id', '=', operator.session.id)
        .executeTakeFirst(),
    )
    .toEqual({ state: 'refused', error_cause: 502 });
  sender.close();
  socket.close();
});

it('a NAS that is no proxy speaks for itself only', async () => {
  const nas = await world.makeNas({ addr: '127.0.0.2' });
  await world.makeNas({ identifier: 'quiet' });
  await radius.reload();
  const sender = await openUdpNas(radius, nas.secret);
  const { id, account } = await world.makeAccount();
  const inner = [attribute('NAS-Identifier', 'quiet'), attribute('NAS-IP-Address', '127.0.0.2')];
  await sender.request(sender.encode(accounting('start', [...inner, attribute('User-Name', account), attribute('Acct-Session-Id', 'q')])));
  expect(await world.sessions(id)).toMatchObject([{ nas_id: nas.id }]);
  sender.close();
});
