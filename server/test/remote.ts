import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type RequestListener, request } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type DirectService, type RemoteService, remoteCalls } from '@farlink/contract/device/remote.ts';
import type { OutputOf } from '@farlink/contract/kit/endpoint.ts';
import type { Insertable } from 'kysely';
import ssh2, { type ConnectConfig } from 'ssh2';
import type { DeviceTable } from '../src/db/tables.ts';
import { type Api, type Caller, startApi } from './api.ts';

export interface Order {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly token: string;
  readonly fp: string;
  readonly services: readonly RemoteService[];
  readonly ttl: number;
}

const ports = { router: 80, ac: 443, antenna: 80, telnet: 23, modem: 23, acu: 23 };

/** Gateway side of a tunnel: an SSH client that passes each connection to `serve`. */
export const openTunnel = async (order: Order, serve: (channel: Duplex) => void, more: Partial<ConnectConfig> & { name?: string } = {}) => {
  const client = new ssh2.Client();
  const service = order.services[0] ?? 'router';
  client.on('tcp connection', (_, accept) => serve(accept()));
  const { name = service, ...config } = more;
  const ready = Promise.withResolvers<void>();
  client.once('ready', ready.resolve);
  client.on('error', ready.reject);
  client.connect({ host: order.host, port: order.port, username: order.user, password: order.token, ...config });
  await ready.promise;
  await new Promise<void>((done, refused) => client.forwardIn(name, ports[service], (error) => (error ? refused(error) : done())));
  return client;
};

/** Same with the OpenSSH client, if it is installed. */
export const openTunnelByOpenSsh = ({ host, port, user, token, services }: Order, localPort: number, folder: string) => {
  const password = join(folder, 'password.sh');
  writeFileSync(password, `#!/bin/sh\necho '${token}'\n`, { mode: 0o700 });
  const forward = `${services[0]}:80:127.0.0.1:${localPort}`;
  const options = [
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'ExitOnForwardFailure=yes',
    'PreferredAuthentications=password',
  ];
  const args = ['-N', ...options.flatMap((o) => ['-o', o]), '-p', String(port), '-R', forward, `${user}@${host}`];
  const env = { PATH: process.env.PATH, HOME: folder, SSH_ASKPASS: password, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: ':0' };
  return spawn(openSsh, args, { env, stdio: 'ignore' });
};
export const openSsh = '/usr/bin/ssh';

/** A web server without a port: each channel is a connection to it. */
export const webBehind = (listener: RequestListener) => {
  const server = createServer(listener);
  return (channel: Duplex) => void server.emit('connection', channel);
};

export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export const remotePorts = { REMOTE_SSH_PORT: '0', REMOTE_WEB_PORT: '0', REMOTE_SSH_HOST: '127.0.0.1', HOST: '127.0.0.1' };

/** The console with remote access and one platform device, with helpers for the browser and the gateway. */
export const openRemoteTestServer = async (env: Record<string, string> = {}) => {
  const api: Api = await startApi({ ...remotePorts, ...env });
  const { remote } = api;
  if (!remote) throw new Error('no remote access');
  let admin = await api.login('admin');
  const platform = admin.session?.agent_id ?? 0;
  let devices = 0;

  const addDevice = async (more: Partial<Insertable<DeviceTable>> = {}) => {
    const sn = `RM${++devices}`;
    const { id } = await api.db
      .insertInto('device')
      .values({ agent_id: platform, name: `ship ${devices}`, sn, create_at: 1, online_state: 1, network: '6d', ...more })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, sn };
  };
  const orderOf = async (sessionId: number): Promise<Order> => {
    const { args } = await api.db
      .selectFrom('remote_session as r')
      .innerJoin('device_command as c', 'c.id', 'r.command_id')
      .select('c.args')
      .where('r.id', '=', sessionId)
      .executeTakeFirstOrThrow();
    // As the gateway parses it.
    const order: Order = JSON.parse(JSON.stringify(args));
    return order;
  };
  const grant = async (service: DirectService, deviceId: number, by: Caller = admin) => {
    const reply = await by.call(remoteCalls[service], { id: deviceId });
    if (reply.code !== 0) throw new Error(`${reply.code} ${reply.msg}`);
    return { ...reply.data, order: await orderOf(reply.data.id) };
  };
  /** For a browser that uses this console host. */
  const grantAt = async (host: string, service: DirectService, deviceId: number) => {
    const { port } = new URL(api.base);
    const headers = { host, authorization: admin.session?.token ?? '', 'content-type': 'application/json' };
    const req = request({ host: '127.0.0.1', port, path: `/agt/v1/device/remote/${service}/${deviceId}`, method: 'POST', headers });
    req.end('{}');
    const [res]: IncomingMessage[] = await once(req, 'response');
    if (!res) throw new Error('no answer');
    const { data } = JSON.parse(await text(res));
    const granted: OutputOf<typeof remoteCalls.router> = data;
    return { ...granted, order: await orderOf(granted.id) };
  };
  const row = (id: number) => api.db.selectFrom('remote_session').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  /** A browser on the session's origin. Subdomains of localhost resolve to this machine. */
  const browser = (url: string) => {
    const { origin, host, port, hash } = new URL(url);
    const jar = new Map<string, string>();
    const send = async (path: string, options: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {}) => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { host, ...(cookie && { cookie }), ...options.headers };
      const req = request({ host: '127.0.0.1', port, path, method: options.method ?? 'GET', headers });
      req.end(options.body);
      const [res]: IncomingMessage[] = await once(req, 'response');
      if (!res) throw new Error('no answer');
      for (const line of res.headers['set-cookie'] ?? []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
      }
      return res;
    };
    const get = async (path: string, options: Parameters<typeof send>[1] = {}): Promise<Got> => {
      const res = await send(path, options);
      return { status: res.statusCode ?? 0, headers: res.headers, text: await text(res) };
    };
    const enter = (ticket = hash.slice(1)) =>
      get('/_farlink/enter', { method: 'POST', headers: { origin, 'content-type': 'application/json' }, body: JSON.stringify({ ticket }) });
    return { origin, jar, send, get, enter };
  };

  /** An open session with its browser and its gateway. */
  const openWeb = async (service: DirectService, listener: RequestListener, by: Caller = admin) => {
    const device = await addDevice({ agent_id: by.session?.agent_id ?? platform });
    const granted = await grant(service, device.id, by);
    const tunnel = await openTunnel(granted.order, webBehind(listener));
    const tab = browser(granted.url);
    await tab.enter();
    return { ...granted, device, tunnel, tab };
  };

  /** Logs out all sessions, which ends all remote sessions, and logs in the administrator again. */
  const renew = async () => {
    await api.db.deleteFrom('session').execute();
    await remote.hub.refresh();
    admin = await api.login('admin');
  };

  return { ...api, remote, admin: () => admin, renew, platform, addDevice, grant, grantAt, orderOf, row, browser, openWeb };
};

export type RemoteTestServer = Awaited<ReturnType<typeof openRemoteTestServer>>;
