import { createSocket } from 'node:dgram';
import { codes } from '@farlink/gateway/radius/attributes.ts';
import { encodeRequest, newAuthenticator } from '@farlink/gateway/radius/authenticator.ts';
import type { Attribute } from '@farlink/gateway/radius/packet.ts';
import { hidePassword } from '@farlink/gateway/radius/password.ts';
import { attribute } from '@farlink/gateway/radius/values.ts';

export interface Target {
  readonly port: number;
  readonly secret: string;
}

export interface Load {
  readonly replies: number;
  readonly lost: number;
  readonly p50: number;
  readonly p99: number;
}

const nas = attribute('NAS-Identifier', 'bench');

export const loginRequest = (account: string, password: string, secret: string) => (id: number) => {
  const authenticator = newAuthenticator();
  const attributes = [attribute('User-Name', account), attribute('User-Password', hidePassword(password, authenticator, secret)), nas];
  return encodeRequest({ code: codes.accessRequest, id, authenticator, attributes }, secret);
};

export const accountRequest = (account: string, session: string, seconds: number, secret: string) => (id: number) => {
  const attributes: Attribute[] = [
    ...[attribute('Acct-Status-Type', 3), attribute('User-Name', account), attribute('Acct-Session-Id', session), nas],
    ...[
      attribute('Acct-Session-Time', seconds),
      attribute('Acct-Input-Octets', seconds * 10),
      attribute('Acct-Output-Octets', seconds * 99),
    ],
    ...[attribute('NAS-IP-Address', '127.0.0.1'), attribute('Framed-IP-Address', '10.0.0.1')],
  ];
  return encodeRequest({ code: codes.accountingRequest, id, attributes }, secret);
};

/** A socket has 256 identifiers, so several are needed at this rate. */
const sockets = 64;
const patienceMs = 3000;

/** Sends requests at a fixed rate, whether they are answered or not. */
export const sendLoad = async (
  { port, secret }: Target,
  perSecond: number,
  seconds: number,
  make: (i: number, secret: string) => (id: number) => Buffer,
): Promise<Load> => {
  const times: number[] = [];
  let sent = 0;
  const open = await Promise.all(
    Array.from({ length: sockets }, async () => {
      const socket = createSocket('udp4');
      const since = new Map<number, number>();
      socket.on('message', (bytes) => {
        const begun = since.get(bytes[1] ?? 0);
        if (begun === undefined) return;
        since.delete(bytes[1] ?? 0);
        times.push(performance.now() - begun);
      });
      await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
      return { socket, since };
    }),
  );
  const start = performance.now();
  await new Promise<void>((done) => {
    const timer = setInterval(() => {
      const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - start) / 1000) * perSecond));
      for (; sent < due; sent++) {
        const { socket, since } = open[sent % sockets] ?? {};
        const id = Math.floor(sent / sockets) % 256;
        since?.set(id, performance.now());
        socket?.send(make(sent, secret)(id), port, '127.0.0.1');
      }
      if (sent < perSecond * seconds) return;
      clearInterval(timer);
      done();
    }, 2);
  });
  const until = performance.now() + patienceMs;
  while (times.length < sent && performance.now() < until) await new Promise((done) => setTimeout(done, 20));
  for (const { socket } of open) socket.close();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { replies: times.length, lost: sent - times.length, p50: at(0.5), p99: at(0.99) };
};

/** Keeps this many requests outstanding, as a NAS that waits for replies. A request without a reply is given up after the patience. */
export const sendWindow = async (
  { port, secret }: Target,
  outstanding: number,
  seconds: number,
  make: (i: number, secret: string) => (id: number) => Buffer,
): Promise<Load> => {
  const times: number[] = [];
  let sent = 0;
  let lost = 0;
  const end = performance.now() + seconds * 1000;
  /** One request at a time from a socket of its own. */
  const sendInTurn = async () => {
    const socket = createSocket('udp4');
    await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
    for (let id = 0; performance.now() < end; id = (id + 1) % 256) {
      const begun = performance.now();
      const isReplied = await new Promise<boolean>((done) => {
        const timer = setTimeout(() => done(false), patienceMs);
        socket.once('message', () => {
          clearTimeout(timer);
          done(true);
        });
        socket.send(make(sent++, secret)(id), port, '127.0.0.1');
      });
      if (isReplied) times.push(performance.now() - begun);
      else lost += 1;
    }
    socket.close();
  };
  await Promise.all(Array.from({ length: outstanding }, sendInTurn));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { replies: times.length, lost, p50: at(0.5), p99: at(0.99) };
};
