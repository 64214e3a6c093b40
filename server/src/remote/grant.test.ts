import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authCalls } from '@farlink/contract/auth/auth.ts';
import { remoteCalls } from '@farlink/contract/device/remote.ts';
import { errors } from '@farlink/contract/errors.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { Client } from 'ssh2';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openRemoteTestServer, openSsh, openTunnel, openTunnelByOpenSsh, type RemoteTestServer, webBehind } from '../../test/remote.ts';
import { makeBranches } from '../../test/world.ts';
import { remoteChannel } from '../domain/remote/end-session.ts';
import { completeTransfer } from '../domain/transfer/complete-transfer.ts';
import { openListener } from '../kit/listener.ts';

let testServer: RemoteTestServer;
let branches: Awaited<ReturnType<typeof makeBranches>>;
const clients: Client[] = [];
const hello = webBehind((_, res) => res.end('hello'));

beforeAll(async () => {
  testServer = await openRemoteTestServer();
  branches = await makeBranches(testServer);
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await testServer.renew();
});
afterAll(async () => {
  await testServer.close();
});

const open: RemoteTestServer['openWeb'] = async (...args) => {
  const opened = await testServer.openWeb(...args);
  clients.push(opened.tunnel);
  return opened;
};

describe('a grant', () => {
  it('returns the address of a separate origin, and asks the gateway for one service', async () => {
    const device = await testServer.addDevice();
    const granted = await testServer.grant('router', device.id);
    expect(granted.url).toMatch(new RegExp(`^http://[a-z0-9]{20}\\.localhost:${testServer.remote.webPort}/_farlink/#${granted.token}$`));
    expect(granted.expire_at).toBe(testServer.clock.now() + limits.remoteTicketS);
    expect(granted.order).toMatchObject({
      host: '127.0.0.1',
      user: device.sn,
      services: ['router'],
      fp: testServer.remote.access.ssh.fingerprint,
    });
    expect(await testServer.row(granted.id)).toMatchObject({ state: 'opening', operator: 'admin', sn: device.sn });
    expect((await testServer.row(granted.id)).ticket_hash).not.toContain(granted.token);
  });

  it('is refused for a device that is offline, on L-band, or not authorized', async () => {
    const tryIt = async (more: Parameters<RemoteTestServer['addDevice']>[0]) =>
      (await testServer.admin().call(remoteCalls.router, { id: (await testServer.addDevice(more)).id })).msg;
    expect(await tryIt({ online_state: 0 })).toBe(errors.device_offline.text[0]);
    expect(await tryIt({ network: 'l_band' })).toBe('当前处于L波段链路，无法远程访问设备');
    expect(await tryIt({ auth_status: 'suspended' })).toBe(errors.remote_unauthorized.text[0]);
    expect(await tryIt({ auth_status: 'expired' })).toBe(errors.remote_unauthorized.text[0]);
  });

  it('is not found by another VNO, nor is the session', async () => {
    const { eastId } = branches;
    const east = await testServer.login('east');
    const west = await testServer.login('west');
    const device = await testServer.addDevice({ agent_id: eastId });
    expect((await west.call(remoteCalls.telnet, { id: device.id })).code).toBe(errors.not_found.code);
    const granted = await testServer.grant('router', device.id, east);
    for (const call of [remoteCalls.read, remoteCalls.close, remoteCalls.replay])
      expect((await west.call(call, { id: granted.id })).code).toBe(errors.not_found.code);
    expect((await west.call(remoteCalls.requests, { session_id: granted.id, page: 1, limit: 10 })).code).toBe(errors.not_found.code);
    expect((await west.call(remoteCalls.sessions, { page: 1, limit: 10 })).data.total).toBe(0);
    expect((await east.call(remoteCalls.sessions, { page: 1, limit: 10, device_id: device.id })).data.total).toBe(1);
    await east.call(remoteCalls.close, { id: granted.id });
  });

  it('of a parent shows a child VNO the session, but neither the operator nor the IP address', async () => {
    const east = await testServer.login('east');
    const device = await testServer.addDevice({ agent_id: branches.eastId });
    const granted = await testServer.grant('router', device.id);
    const listed = await east.call(remoteCalls.sessions, { page: 1, limit: 10, device_id: device.id });
    expect(listed.data.list).toMatchObject([{ id: granted.id, operator: '上级运营商', ip: '' }]);
    const own = await testServer.admin().call(remoteCalls.sessions, { page: 1, limit: 10, device_id: device.id });
    expect(own.data.list).toMatchObject([{ operator: 'admin', ip: '127.0.0.1' }]);
    await east.call(remoteCalls.close, { id: granted.id });
    const log = await testServer.db.selectFrom('syslog').select('content_zh').where('subject', '=', `device:${device.id}`).execute();
    expect(log.map((line) => line.content_zh)).toContainEqual(expect.stringMatching(/^关闭设备 .*的远程会话 #\d+$/));
  });

  it('is refused when the login has too many sessions', async () => {
    const by = await testServer.login('east');
    const device = async () => (await testServer.addDevice({ agent_id: by.session?.agent_id ?? 0 })).id;
    for (let i = 0; i < limits.remotePerLogin; i++) await testServer.grant('router', await device(), by);
    expect((await by.call(remoteCalls.router, { id: await device() })).code).toBe(errors.remote_busy.code);
    await by.call(authCalls.logout, {});
  });
});

describe('a gateway', () => {
  it('can connect once with the token of an open grant', async () => {
    const granted = await testServer.grant('router', (await testServer.addDevice()).id);
    const tunnel = await openTunnel(granted.order, hello);
    clients.push(tunnel);
    expect(await testServer.row(granted.id)).toMatchObject({ state: 'open' });
    await expect(openTunnel(granted.order, hello)).rejects.toThrow('authentication');
    expect(await testServer.orderOf(granted.id)).not.toHaveProperty('token');
  });

  it('is refused with another token, another SN, or after the grant was closed', async () => {
    const granted = await testServer.grant('router', (await testServer.addDevice()).id);
    const other = await testServer.addDevice();
    await expect(openTunnel({ ...granted.order, token: 'x'.repeat(43) }, hello)).rejects.toThrow('authentication');
    await expect(openTunnel({ ...granted.order, user: other.sn }, hello)).rejects.toThrow('authentication');
    await testServer.admin().call(remoteCalls.close, { id: granted.id });
    await expect(openTunnel(granted.order, hello)).rejects.toThrow('authentication');
  });

  it('loses its session when it is transferred to another VNO', async () => {
    const { eastId, westId } = branches;
    const east = await testServer.login('east');
    const device = await testServer.addDevice({ agent_id: eastId, next_key_hash: 'a'.repeat(64) });
    const running = await testServer.grant('router', device.id, east);
    clients.push(await openTunnel(running.order, hello));
    const now = testServer.clock.now();
    const deal = { device_id: device.id, sn: device.sn, from_agent_id: eastId, to_agent_id: westId, command_id: 'cccccccccccc' };
    await testServer.db
      .insertInto('device_transfer')
      .values({ ...deal, keep_users: true, operator: 'x', deadline: now + 900, create_at: now })
      .execute();
    const notifications: string[] = [];
    const listener = openListener(testServer.deps.pool, remoteChannel, (text) => notifications.push(text));
    await listener.ensure();
    try {
      expect(await completeTransfer(testServer.db, device.id, 'a'.repeat(64), now)).toBe(true);
      await expect.poll(() => notifications).toContain(String(running.id));
      await expect.poll(async () => (await testServer.row(running.id)).end_reason).toBe('moved');
    } finally {
      listener.close();
    }
  });

  it('cannot open a tunnel for its previous owner', async () => {
    const device = await testServer.addDevice({ agent_id: branches.eastId });
    const { order } = await testServer.grant('telnet', device.id, await testServer.login('east'));
    await testServer.db.updateTable('device').set({ agent_id: branches.westId }).where('id', '=', device.id).execute();
    await expect(openTunnel(order, hello)).rejects.toThrow('authentication');
  });

  it('can verify the server by its fingerprint', async () => {
    const granted = await testServer.grant('router', (await testServer.addDevice()).id);
    const seen: string[] = [];
    const hostVerifier = (key: Buffer) => {
      seen.push(`SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`);
      return seen[0] === granted.order.fp;
    };
    clients.push(await openTunnel(granted.order, hello, { hostVerifier }));
    expect(seen).toEqual([granted.order.fp]);
  });

  it('can use a standard SSH client', async () => {
    const granted = await testServer.grant('router', (await testServer.addDevice()).id);
    const server = createServer((req, res) => res.end(`by ${req.headers.host}`)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const folder = mkdtempSync(join(tmpdir(), 'farlink-ssh-'));
    // Without OpenSSH on this machine, the tunnel is opened with the library.
    const ssh = existsSync(openSsh) ? openTunnelByOpenSsh(granted.order, port, folder) : undefined;
    const exited = ssh && once(ssh, 'exit');
    if (!ssh) clients.push(await openTunnel(granted.order, (channel) => void server.emit('connection', channel)));
    await expect.poll(async () => (await testServer.row(granted.id)).state).toBe('open');
    const tab = testServer.browser(granted.url);
    await tab.enter();
    expect((await tab.get('/')).text).toBe('by 127.0.0.1');
    await testServer.admin().call(remoteCalls.close, { id: granted.id });
    await exited;
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('that asks for another service ends the session', async () => {
    const granted = await testServer.grant('router', (await testServer.addDevice()).id);
    await expect(openTunnel(granted.order, hello, { name: 'telnet' })).rejects.toThrow();
    await expect.poll(async () => (await testServer.row(granted.id)).end_reason).toBe('refused');
    expect((await testServer.row(granted.id)).state).toBe('failed');
  });

  it('cannot open a shell, run a command, transfer files or forward ports', async () => {
    const { tunnel } = await open('router', (_, res) => res.end());
    const refused = (request: (done: (error?: Error) => void) => void) => new Promise<Error | undefined>((done) => request(done));
    expect(await refused((done) => tunnel.shell(done))).toBeInstanceOf(Error);
    expect(await refused((done) => tunnel.exec('id', done))).toBeInstanceOf(Error);
    expect(await refused((done) => tunnel.sftp(done))).toBeInstanceOf(Error);
    expect(await refused((done) => tunnel.forwardOut('127.0.0.1', 0, '127.0.0.1', 22, done))).toBeInstanceOf(Error);
    expect(await refused((done) => tunnel.openssh_forwardOutStreamLocal('/tmp/x', done))).toBeInstanceOf(Error);
    expect(await refused((done) => tunnel.forwardIn('0.0.0.0', 8080, done))).toBeInstanceOf(Error);
  });

  it('that reports a refusal ends the session with its reason', async () => {
    const granted = await testServer.grant('ac', (await testServer.addDevice()).id);
    const { command_id } = await testServer.row(granted.id);
    await testServer.db.updateTable('device_command').set({ state: 4, err: 'no route' }).where('id', '=', command_id).execute();
    await testServer.remote.hub.refresh();
    expect(await testServer.row(granted.id)).toMatchObject({ state: 'failed', end_reason: 'refused', message: 'no route' });
  });
});

describe('a ticket', () => {
  it('opens the session once', async () => {
    const granted = await testServer.grant('router', (await testServer.addDevice()).id);
    const tab = testServer.browser(granted.url);
    expect(await tab.enter('wrong')).toMatchObject({ status: 403 });
    expect(JSON.parse((await tab.enter()).text)).toEqual({ state: 'opening' });
    expect(await testServer.browser(granted.url).enter()).toMatchObject({ status: 403 });
  });

  it('is accepted only from its page', async () => {
    const granted = await testServer.grant('router', (await testServer.addDevice()).id);
    const tab = testServer.browser(granted.url);
    const headers = { origin: 'http://evil.example', 'content-type': 'application/json' };
    expect(await tab.get('/_farlink/enter', { method: 'POST', headers, body: JSON.stringify({ ticket: granted.token }) })).toMatchObject({
      status: 403,
    });
  });

  it('is invalid after a minute, after the logout, or for another session', async () => {
    const late = await testServer.grant('router', (await testServer.addDevice()).id);
    testServer.clock.advance(limits.remoteTicketS);
    expect((await testServer.browser(late.url).enter()).status).toBe(403);

    const one = await testServer.grant('router', (await testServer.addDevice()).id);
    const two = await testServer.grant('ac', (await testServer.addDevice()).id);
    expect((await testServer.browser(one.url).enter(two.token)).status).toBe(403);

    const west = await testServer.login('west');
    const device = await testServer.addDevice({ agent_id: west.session?.agent_id ?? 0 });
    const orphan = await testServer.grant('router', device.id, west);
    await west.call(authCalls.logout, {});
    expect((await testServer.browser(orphan.url).enter()).status).toBe(403);
    await expect.poll(async () => (await testServer.row(orphan.id)).end_reason).toBe('logout');
  });
});
