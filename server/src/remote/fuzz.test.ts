import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fuzzSeed, mutations, sendAllRaw } from '../../test/byte-fuzz.ts';
import { openRemoteTestServer, type RemoteTestServer } from '../../test/remote.ts';
import { Telnet } from './terminal/telnet.ts';

let testServer: RemoteTestServer;
beforeAll(async () => {
  testServer = await openRemoteTestServer();
});
afterAll(() => testServer?.close());

const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

/** Unencrypted SSH packets: length, padding, payload. */
const sshPacket = (payload: Uint8Array) => {
  const padding = 8 - ((payload.length + 5) % 8) + 4;
  const head = Buffer.alloc(5);
  head.writeUInt32BE(payload.length + padding + 1);
  head.writeUInt8(padding, 4);
  return Uint8Array.from([...head, ...payload, ...new Uint8Array(padding)]);
};
const names = (text: string) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return [...length, ...latin(text)];
};
const kexInit = Uint8Array.from([
  20,
  ...new Uint8Array(16),
  ...names('curve25519-sha256'),
  ...names('ssh-ed25519'),
  ...names('aes128-ctr'),
  ...names('aes128-ctr'),
  ...names('hmac-sha2-256'),
  ...names('hmac-sha2-256'),
  ...names('none'),
  ...names('none'),
  ...names(''),
  ...names(''),
  ...[0, 0, 0, 0, 0],
]);
const ident = [...latin('SSH-2.0-fuzz\r\n')];
const sshCorpus = [
  Uint8Array.from(ident),
  Uint8Array.from([...ident, ...sshPacket(kexInit)]),
  Uint8Array.from([...ident, ...sshPacket(kexInit), ...sshPacket(Uint8Array.from([30, ...names('x'.repeat(32))]))]),
  Uint8Array.from([...ident, ...sshPacket(kexInit), ...sshPacket(Uint8Array.from([1, 0, 0, 0, 2, ...names('bye'), ...names('')]))]),
];

const webCorpus = (label: string) => {
  const host = `host: ${label}.localhost\r\n`;
  const upgrade =
    'connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n';
  return [
    `GET / HTTP/1.1\r\n${host}\r\n`,
    `GET /ws HTTP/1.1\r\n${host}${upgrade}\r\n\x81\x85abcdhello`,
    `POST /_farlink/enter HTTP/1.1\r\n${host}origin: http://x\r\ncontent-length: 14\r\n\r\n{"ticket":"x"}`,
    `GET /_farlink/state?wait=1 HTTP/1.1\r\n${host}cookie: a=b\r\n\r\n`,
    `POST /x HTTP/1.1\r\n${host}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  ].map(latin);
};

test(`invalid input on the ports of remote access ends only its own connection (seed ${fuzzSeed})`, {
  tags: 'all',
  timeout: 120_000,
}, async () => {
  const { tab, tunnel } = await testServer.openWeb('router', (_, res) => res.end('page'));
  const label = new URL(tab.origin).hostname.split('.')[0] ?? '';
  await sendAllRaw(testServer.remote.access.ssh.port, mutations(sshCorpus, 150));
  await sendAllRaw(testServer.remote.webPort, mutations(webCorpus(label), 200));
  await sendAllRaw(Number(new URL(testServer.base).port), mutations(webCorpus(label), 100));
  expect((await tab.get('/')).text).toBe('page');
  tunnel.destroy();
  // A new tunnel can still be opened.
  await testServer.renew();
  const next = await testServer.openWeb('antenna', (_, res) => res.end('again'));
  expect((await next.tab.get('/')).text).toBe('again');
  next.tunnel.destroy();
});

test(`any telnet stream is read, with the same result for any division into chunks (seed ${fuzzSeed})`, () => {
  const byte = fc.oneof(fc.constantFrom(255, 254, 253, 252, 251, 250, 240, 0, 1, 3, 24, 31, 13, 10), fc.integer({ min: 0, max: 255 }));
  const pieces = fc.array(fc.array(byte, { maxLength: 40 }), { maxLength: 8 });
  const read = (chunks: readonly (readonly number[])[]) => {
    const telnet = new Telnet(80, 24);
    const results = chunks.map((chunk) => telnet.receive(Buffer.from(chunk)));
    const shown = Buffer.concat(results.map((h) => h.shown));
    const reply = Buffer.concat(results.map((h) => h.reply));
    telnet.resize(255, 255);
    telnet.type(Buffer.from(chunks.flat()));
    return { shown, reply };
  };
  const property = fc.property(pieces, (chunks) => {
    const size = chunks.flat().length;
    const { shown, reply } = read(chunks);
    expect(shown.length).toBeLessThanOrEqual(size);
    // The reply is bounded by the input: the longest reply is the terminal type.
    expect(reply.length).toBeLessThanOrEqual(size * 20);
    expect({ shown, reply }).toEqual(read([chunks.flat()]));
  });
  fc.assert(property, { seed: fuzzSeed, numRuns: 2000 });
});
