import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import { remoteCalls } from '@farlink/contract/device/remote.ts';
import { errors } from '@farlink/contract/errors.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { Client } from 'ssh2';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Caller } from '../../test/api.ts';
import { openRemoteTestServer, openTunnel, type RemoteTestServer } from '../../test/remote.ts';
import { openFileStore } from '../kit/files/open-file-store.ts';
import { internalErrors } from '../kit/internal-error.ts';
import { forgetSessions } from './retention.ts';
import { draftPath } from './terminal/store-recording.ts';

const IAC = 255;
const DO = 253;
const WILL = 251;
const SB = 250;
const SE = 240;
const ECHO = 1;
const NAWS = 31;

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

/** Browser side of a terminal: received states and screen output. */
const terminal = (
  id: number,
  ticket: string,
  by: Caller = testServer.admin(),
  more: { origin?: string; cols?: number; rows?: number } = {},
) => {
  const { origin = testServer.base, cols = 80, rows = 24 } = more;
  const socket = new WebSocket(`${testServer.base.replace('http', 'ws')}/agt/terminal`, { origin });
  tabs.push(socket);
  const seen = { states: [] as { state: string; reason?: string }[], screen: '', error: '' };
  socket.on('open', () => socket.send(JSON.stringify({ id, ticket, token: by.session?.token, cols, rows })));
  socket.on('error', (error) => {
    seen.error = error.message;
  });
  socket.on('message', (data, isBinary) => {
    if (isBinary) seen.screen += String(data);
    else seen.states.push(JSON.parse(String(data)));
  });
  return { socket, seen, type: (keys: string) => socket.send(Buffer.from(keys)) };
};

/** Telnet commands are not key input. */
const keysOf = (bytes: Buffer) =>
  bytes
    .toString('latin1')
    .replace(/\xff\xfa.*?\xff\xf0|\xff[\xfb-\xfe]./gs, '')
    .replaceAll('\0', '');

/** A login that does not echo the password, as devices do. */
const shell = (received: number[] = []) => {
  return (channel: Duplex) => {
    let line = '';
    let prompts = 0;
    channel.write(Buffer.from([IAC, WILL, ECHO, IAC, DO, NAWS]));
    channel.write('login: ');
    channel.on('data', (chunk: Buffer) => {
      received.push(...chunk);
      for (const key of keysOf(chunk)) {
        if (key !== '\r') {
          line += key;
          if (prompts !== 1) channel.write(key);
          continue;
        }
        prompts++;
        channel.write(prompts === 1 ? '\r\nPassword: ' : `\r\n[${prompts === 2 ? 'in' : line}]\r\n> `);
        if (line === 'exit') channel.end();
        line = '';
      }
    });
  };
};

const open = async (serve: (channel: Duplex) => void) => {
  const device = await testServer.addDevice();
  const granted = await testServer.grant('telnet', device.id);
  const tab = terminal(granted.id, granted.token);
  await expect.poll(() => tab.seen.states[0]?.state).toBe('opening');
  const tunnel = await openTunnel(granted.order, serve);
  clients.push(tunnel);
  await expect.poll(() => tab.seen.states.at(-1)?.state).toBe('open');
  return { ...granted, device, tab, tunnel };
};

describe('a terminal', () => {
  it('is a page of the console, and exchanges data with the device', async () => {
    const fromScreen: number[] = [];
    const { tab, url, id } = await open(shell(fromScreen));
    expect(url).toMatch(new RegExp(`^/device/terminal/${id}#`));
    await expect.poll(() => tab.seen.screen).toBe('login: ');
    // The device got the window size.
    await expect.poll(() => fromScreen.slice(-9)).toEqual([IAC, SB, NAWS, 0, 80, 0, 24, IAC, SE]);
    tab.socket.send(JSON.stringify({ cols: 120, rows: 40 }));
    await expect.poll(() => fromScreen.slice(-9)).toEqual([IAC, SB, NAWS, 0, 120, 0, 40, IAC, SE]);
    tab.type('admin\rsecret\rhello\r');
    await expect.poll(() => tab.seen.screen).toBe('login: admin\r\nPassword: \r\n[in]\r\n> hello\r\n[hello]\r\n> ');
  });

  it('is recorded without the password, and each viewer is logged', async () => {
    const { tab, id, device } = await open(shell());
    tab.type('admin\rsecret\r');
    await expect.poll(() => tab.seen.screen).toContain('[in]');
    tab.socket.send(JSON.stringify({ cols: 100, rows: 30 }));
    tab.type('exit\r');
    await expect.poll(() => tab.seen.states.at(-1)).toMatchObject({ state: 'ended', reason: 'finished' });
    await expect.poll(async () => (await testServer.row(id)).recording_key).toBe(`remote/${id}.cast`);
    await expect.poll(() => existsSync(draftPath(testServer.deps.config, id))).toBe(false);

    const response = await fetch(`${testServer.base}/agt/v1/device/remote/replay/${id}`, {
      method: 'POST',
      headers: { authorization: testServer.admin().session?.token ?? '', 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.headers.get('content-disposition')).toContain(`${device.sn}-${id}.cast`);
    const [head, ...events] = (await response.text())
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(head).toMatchObject({ version: 2, width: 80, height: 24, timestamp: testServer.clock.now() });
    const screen = events.map((e) => (Array.isArray(e) && e[1] === 'o' ? String(e[2]) : '')).join('');
    expect(screen).toContain('login: admin');
    expect(screen).not.toContain('secret');
    expect(events).toContainEqual([expect.any(Number), 'r', '100x30']);
    const log = await testServer.db
      .selectFrom('syslog')
      .select('content_en')
      .where('subject', '=', `device:${device.id}`)
      .orderBy('id')
      .execute();
    expect(log.map((l) => l.content_en)).toEqual([
      expect.stringContaining('Opened remote Telnet'),
      expect.stringContaining('ended: Ended by the device'),
      expect.stringMatching(/^Viewed terminal recording #\d+ of device /),
    ]);
    const listed = await testServer.admin().call(remoteCalls.sessions, { page: 1, limit: 10, device_id: device.id });
    expect(listed.data.list[0]).toMatchObject({
      service: 'telnet',
      state: 'ended',
      end_reason: 'finished',
      recorded: true,
      operator: 'admin',
    });
    expect(listed.data.list[0]?.down_bytes).toBeGreaterThan(20);
  });

  it('echoes and records typed text if the device does not echo', async () => {
    const { tab, id } = await open((channel) => void channel.on('data', (d: Buffer) => d.includes(10) && channel.end('bye\r\n')));
    tab.type('plain\r');
    await expect.poll(() => tab.seen.screen).toBe('plain\r\nbye\r\n');
    await expect.poll(async () => (await testServer.row(id)).recording_key).not.toBeNull();
    let text = '';
    for await (const chunk of await openFileStore(testServer.deps.config).get(`remote/${id}.cast`)) text += String(chunk);
    expect(text).toContain('plain');
  });

  it('is refused for an id that is no whole number', async () => {
    const errorsBefore = internalErrors().remote;
    for (const id of [1.5, 1e300, -1]) {
      const { seen } = terminal(id, 'a');
      await expect.poll(() => seen.states).toEqual([{ state: 'refused' }]);
    }
    expect(internalErrors().remote).toBe(errorsBefore);
  });

  it('does not open with a used ticket, in another login, or on a page of another origin', async () => {
    const { id, token } = await open(shell());
    const again = terminal(id, token);
    await expect.poll(() => again.seen.states).toEqual([{ state: 'refused' }]);

    const granted = await testServer.grant('telnet', (await testServer.addDevice()).id);
    const other = await testServer.login('admin');
    const stranger = terminal(granted.id, granted.token, other);
    await expect.poll(() => stranger.seen.states).toEqual([{ state: 'refused' }]);
    const elsewhere = terminal(granted.id, granted.token, testServer.admin(), { origin: 'http://evil.example' });
    await expect.poll(() => elsewhere.seen.error).toContain('403');
    // None of these tries affected the owner of the ticket.
    const own = terminal(granted.id, granted.token);
    await expect.poll(() => own.seen.states[0]?.state).toBe('opening');
  });

  it('ends when its page, its tunnel or the login ends', async () => {
    const first = await open(shell());
    first.tab.socket.close();
    await expect.poll(async () => (await testServer.row(first.id)).end_reason).toBe('closed');

    const second = await open(shell());
    second.tunnel.destroy();
    await expect.poll(() => second.tab.seen.states.at(-1)).toMatchObject({ state: 'ended', reason: 'tunnel' });

    const third = await open(shell());
    await testServer.db.deleteFrom('session').execute();
    await expect.poll(() => third.tab.seen.states.at(-1)).toMatchObject({ state: 'ended', reason: 'logout' });
  });

  it('slows down the device if the browser does not read', async () => {
    let made = 0;
    const flood = (channel: Duplex) => {
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const more = () => {
        while (made < 64 * 1024 * 1024) {
          made += chunk.length;
          if (!channel.write(chunk)) return void channel.once('drain', more);
        }
      };
      channel.on('error', () => {});
      more();
    };
    const granted = await testServer.grant('telnet', (await testServer.addDevice()).id);
    const tab = terminal(granted.id, granted.token);
    await expect.poll(() => tab.seen.states[0]?.state).toBe('opening');
    tab.socket.pause();
    clients.push(await openTunnel(granted.order, flood));
    let seen = -1;
    const isHeldBack = () => {
      const was = seen;
      seen = made;
      return made > 0 && was === made;
    };
    await expect.poll(isHeldBack, { interval: 300 }).toBe(true);
    expect(made).toBeLessThan(16 * 1024 * 1024);
  });

  it('of a killed process keeps its recording until the retention time is over', async () => {
    const granted = await testServer.grant('telnet', (await testServer.addDevice()).id);
    const draft = draftPath(testServer.deps.config, granted.id);
    mkdirSync(dirname(draft), { recursive: true });
    writeFileSync(draft, '{"version":2}\n[1,"o","half a sen');
    await testServer.db
      .updateTable('remote_session')
      .set({ node: 'dead', beat_at: testServer.clock.now() - 61 })
      .where('id', '=', granted.id)
      .execute();
    await testServer.remote.hub.refresh();
    const { end_reason, recording_key } = await testServer.row(granted.id);
    expect([end_reason, recording_key]).toEqual(['lost', `remote/${granted.id}.cast`]);

    const forget = () => forgetSessions({ deps: testServer.deps, signal: AbortSignal.timeout(10_000) });
    await forget();
    expect(await testServer.row(granted.id)).toBeDefined();
    testServer.clock.advance((limits.remoteRetentionDays + 1) * 86_400);
    await forget();
    await expect(testServer.row(granted.id)).rejects.toThrow();
    await expect(openFileStore(testServer.deps.config).size(recording_key ?? '')).rejects.toThrow();
  });

  it('is ended when it transfers too many bytes', async () => {
    const { id, tab } = await open(shell());
    const session = await testServer.remote.hub.byId(id);
    session?.meter.down(limits.remoteBytes);
    await expect.poll(() => tab.seen.states.at(-1)).toMatchObject({ state: 'ended', reason: 'bytes' });
  });

  it('without a recording cannot be replayed', async () => {
    const granted = await testServer.grant('router', (await testServer.addDevice()).id);
    expect((await testServer.admin().call(remoteCalls.replay, { id: granted.id })).code).toBe(errors.remote_unrecorded.code);
  });
});
