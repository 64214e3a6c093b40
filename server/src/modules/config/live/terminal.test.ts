import type { Duplex } from 'node:stream';
import { terminalCalls } from '@farlink/contract/config/terminal.ts';
import { remoteCalls } from '@farlink/contract/device/remote.ts';
import { errors } from '@farlink/contract/errors.ts';
import type { Client } from 'ssh2';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { grantsOf } from '../../../../test/api.ts';
import { openRemoteTestServer, openTunnel, type RemoteTestServer } from '../../../../test/remote.ts';
import { makeRole, makeStaff } from '../../../../test/world.ts';

let testServer: RemoteTestServer;
const clients: Client[] = [];
const tabs: WebSocket[] = [];

beforeAll(async () => {
  testServer = await openRemoteTestServer();
});
afterEach(async () => {
  for (const tab of tabs.splice(0)) tab.terminate();
  for (const client of clients.splice(0)) client.destroy();
  await testServer.renew();
});
afterAll(() => testServer.close());

/** A device whose gateway has reported a modem and an antenna. */
const ship = async (more: Parameters<RemoteTestServer['addDevice']>[0] = {}) => {
  const device = await testServer.addDevice(more);
  const reported = { satellite_route_modem: { rows: [{ name: 'modem1' }] }, satellite_route_antenna: { rows: [{ antenna: 'a' }] } };
  for (const [section, doc] of Object.entries(reported))
    await testServer.db
      .insertInto('reported_section')
      .values({ device_id: device.id, section, rev: 0, hash: 'x', ok: true, local: true, doc: JSON.stringify(doc), at: 1 })
      .execute();
  return device;
};

const open = (device_id: number, page: string, values: object) => testServer.admin().call(terminalCalls.open, { device_id, page, values });

/** Opens the terminal, connects its tunnel and reads its output. */
const enter = async (device_id: number, page: string, values: object, serve: (channel: Duplex) => void) => {
  const reply = await open(device_id, page, values);
  expect(reply.code, JSON.stringify(reply)).toBe(0);
  const { id, token } = reply.data;
  const order = await testServer.orderOf(id);
  clients.push(await openTunnel(order, serve));
  const socket = new WebSocket(`${testServer.base.replace('http', 'ws')}/agt/terminal`, { origin: testServer.base });
  tabs.push(socket);
  const seen = { states: [''], screen: '' };
  socket.on('open', () => socket.send(JSON.stringify({ id, ticket: token, token: testServer.admin().session?.token, cols: 80, rows: 24 })));
  socket.on('message', (data, isBinary) => {
    if (isBinary) seen.screen += String(data);
    else seen.states.push(JSON.parse(String(data)).state);
  });
  await expect.poll(() => seen.states.at(-1), { timeout: 10_000 }).toBe('open');
  return { id, order, seen, type: (keys: string) => socket.send(Buffer.from(keys)) };
};

const echo = (heard: number[]) => (channel: Duplex) => {
  channel.write('ready> ');
  channel.on('data', (chunk: Buffer) => {
    heard.push(...chunk);
    channel.write(chunk);
  });
};

describe('a terminal page', () => {
  it('in read-only mode does not send typed characters to the device', async () => {
    const { id: device } = await ship();
    const [heard, free]: [number[], number[]] = [[], []];
    const quiet = await enter(
      device,
      'telnet_modem',
      { modem: 'modem1', protocol: 'ssh', reason: 'check SNR', read_only: true },
      echo(heard),
    );
    expect(quiet.order).toMatchObject({ services: ['modem'], target: 'modem1', proto: 'ssh' });
    await expect.poll(() => quiet.seen.screen).toContain('ready>');
    quiet.type('reboot\r');
    const other = await enter(device, 'telnet_antenna', { antenna: 'a', port: 2323, reason: 'check AGC' }, echo(free));
    expect(other.order).toMatchObject({ services: ['acu'], target: 'a', to: 2323 });
    other.type('status\r');
    await expect.poll(() => Buffer.from(free).toString()).toContain('status');
    expect(Buffer.from(heard).toString()).not.toContain('r');
    const { list } = (await testServer.admin().call(remoteCalls.sessions, { device_id: device })).data;
    expect(list.map(({ service, reason }) => [service, reason])).toEqual(
      expect.arrayContaining([
        ['modem', 'check SNR'],
        ['acu', 'check AGC'],
      ]),
    );
    const entry = await testServer.db
      .selectFrom('syslog')
      .select('after')
      .where('content_en', 'like', 'Opened remote Modem%')
      .executeTakeFirstOrThrow();
    expect(entry.after).toMatchObject({ reason: 'check SNR', read_only: true, target: 'modem1' });
    expect((await testServer.admin().call(remoteCalls.read, { id: quiet.id })).data).toMatchObject({ service: 'modem', read_only: true });
  });

  it('converts output and input between UTF-8 and the encoding of the device', async () => {
    const { id: device } = await ship();
    const heard: number[] = [];
    const gbk = Buffer.from([0xcc, 0xec, 0xcf, 0xdf]); // 天线
    const tab = await enter(device, 'telnet_gateway', { reason: 'check', encoding: 'gbk' }, (channel) => {
      // The first write ends in the middle of a character.
      channel.write(gbk.subarray(0, 3));
      channel.write(gbk.subarray(3));
      channel.on('data', (chunk: Buffer) => heard.push(...chunk));
    });
    await expect.poll(() => tab.seen.screen).toBe('天线');
    tab.type('线\r');
    await expect.poll(() => Buffer.from(heard).toString('hex')).toContain('cfdf0d');
  });

  it('uses L-band only with consent, and stores the consent', async () => {
    const { id: device } = await ship({ network: 'l_band' });
    expect((await open(device, 'telnet_gateway', { reason: 'check' })).code).toBe(errors.remote_l_band.code);
    const tab = await enter(device, 'telnet_gateway', { reason: 'check', allow_lband: true }, echo([]));
    expect(tab.order).toMatchObject({ any: true });
    await testServer.remote.hub.refresh();
    expect(await testServer.row(tab.id)).toMatchObject({ state: 'open', end_at: null, lband: true });
  });

  it('is refused with an invalid value, and with the right to view only', async () => {
    const { id: device } = await ship();
    expect((await open(device, 'telnet_modem', { modem: 'modem9', protocol: 'telnet' })).data).toMatchObject({
      fields: { modem: expect.any(String), reason: expect.any(String) },
    });
    expect((await open(device, 'diagnosis_ping', { reason: 'check' })).code).toBe(errors.not_found.code);
    const role = await makeRole(testServer.admin(), 'looker', grantsOf(['gateway_config', 'device_list']), {
      gateway_permissions: { gw_telnet_gateway: '10' },
    });
    await makeStaff(testServer.admin(), 'looker', role);
    const looker = await testServer.login('looker');
    expect((await looker.call(terminalCalls.open, { device_id: device, page: 'telnet_gateway', values: { reason: 'x' } })).code).toBe(
      errors.denied.code,
    );
  });
});
