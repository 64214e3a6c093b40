import { codes } from '@farlink/gateway/radius/attributes.ts';
import { newAuthenticator } from '@farlink/gateway/radius/authenticator.ts';
import type { Packet } from '@farlink/gateway/radius/packet.ts';
import { chapResponse } from '@farlink/gateway/radius/password.ts';
import { attribute } from '@farlink/gateway/radius/values.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRadiusWorld, openUdpNas, pap } from '../../test/radius.ts';
import { type ServiceDeps, serviceDeps } from '../../test/setup/service-deps.ts';
import { issueRouterPass } from '../domain/radius/router-pass.ts';
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

const mac = '02:00:00:00:00:01';
const isAccept = (reply: Packet | undefined) => reply?.code === codes.accessAccept;

const openRouter = async (more: Parameters<typeof world.makeNas>[0] = {}) => {
  const nas = await world.makeNas({ login_protocol: 'uam', chap: true, ...more });
  await radius.reload();
  const udp = await openUdpNas(radius, nas.secret);
  const station = (from: string) => [nas.self, attribute('Calling-Station-Id', from)];
  const papLogin = (account: string, password: string, from = mac) =>
    udp.request(udp.encode(pap(account, password, nas.secret, station(from))));
  const chapLogin = (account: string, password: string, from = mac) => {
    const challenge = newAuthenticator();
    const attributes = [
      attribute('User-Name', account),
      attribute('CHAP-Password', chapResponse(0, challenge, password)),
      attribute('CHAP-Challenge', challenge),
      ...station(from),
    ];
    return udp.request(udp.encode({ code: codes.accessRequest, authenticator: newAuthenticator(), attributes }));
  };
  return { ...udp, id: nas.id, papLogin, chapLogin };
};

const issue = (subscriber_id: number, nas_id: number) =>
  issueRouterPass(service.deps.db, service.deps.config.secretKey, { subscriber_id, nas_id, mac }, service.clock.now());

describe('a one-time password', () => {
  it.each(['papLogin', 'chapLogin'] as const)('logs its client in once (%s)', async (method) => {
    const router = await openRouter();
    const { id, account } = await world.makeAccount({ allow_logins: 5 });
    const password = await issue(id, router.id);
    expect(isAccept(await router[method](account, password, '02-00-00-00-00-02'))).toBe(false);
    expect(isAccept(await router[method](account, password, '02-00-00-00-00-01'))).toBe(true);
    expect(isAccept(await router[method](account, password))).toBe(false);
    expect(isAccept(await router[method](account, world.password))).toBe(true);
    router.close();
  });

  it('is refused at another NAS, with another account, after 60 seconds, and after a newer one', async () => {
    const router = await openRouter();
    const other = await openRouter();
    const { id, account } = await world.makeAccount({ allow_logins: 5 });
    const stranger = await world.makeAccount();
    const old = await issue(id, router.id);
    const password = await issue(id, router.id);
    expect(isAccept(await router.papLogin(account, old))).toBe(false);
    expect(isAccept(await other.papLogin(account, password))).toBe(false);
    expect(isAccept(await router.papLogin(stranger.account, password))).toBe(false);
    service.clock.advance(60);
    expect(isAccept(await router.papLogin(account, password))).toBe(false);
    expect(isAccept(await router.papLogin(account, await issue(id, router.id)))).toBe(true);
    router.close();
    other.close();
  });

  it('is used up by a refused login, and does not override the state of the account', async () => {
    const router = await openRouter();
    const { id, account } = await world.makeAccount({}, null);
    const password = await issue(id, router.id);
    expect(isAccept(await router.papLogin(account, password))).toBe(false);
    await world.grant(id, await world.makePackage());
    expect(isAccept(await router.papLogin(account, password))).toBe(false);
    router.close();
  });

  it('is refused at a NAS whose portal login is off, also for two logins at the same moment only one is accepted', async () => {
    const router = await openRouter();
    const off = await openRouter({ login_protocol: 'none' });
    const { id, account } = await world.makeAccount({ allow_logins: 5 });
    expect(isAccept(await off.papLogin(account, await issue(id, off.id)))).toBe(false);
    const password = await issue(id, router.id);
    const replies = await Promise.all([router.papLogin(account, password), router.chapLogin(account, password)]);
    expect(replies.filter(isAccept)).toHaveLength(1);
    router.close();
    off.close();
  });
});
