import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Question of a query: its name in lower case, its type, and where it ends. */
const questionOf = (query: Buffer) => {
  const labels: string[] = [];
  let at = 12;
  for (let size = query[at] ?? 0; size > 0; size = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size));
    at += size + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
};

const txt = 16;
const nameError = 3;
const serverFailure = 2;

const answerOf = (value: string) => {
  const text = Buffer.from(value, 'latin1');
  const head = Buffer.from([0xc0, 0x0c, 0, txt, 0, 1, 0, 0, 0, 0, 0, 0, text.length]);
  head.writeUInt16BE(text.length + 1, 10);
  return Buffer.concat([head, text]);
};

/** A DNS server on this machine that knows the TXT records of a test. */
export const openDnsServer = async () => {
  const records = new Map<string, string[]>();
  const state = { isBroken: false };
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    const values = type === txt && !state.isBroken ? (records.get(name) ?? []) : [];
    const head = Buffer.from(query.subarray(0, end));
    const code = state.isBroken ? serverFailure : records.has(name) ? 0 : nameError;
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(values.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, ...values.map(answerOf)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    /** Without values, the name does not exist. */
    set: (name: string, ...values: string[]) => (values.length > 0 ? void records.set(name, values) : void records.delete(name)),
    /** Answers every query with a failure. */
    break: (isBroken: boolean) => {
      state.isBroken = isBroken;
    },
    close: () => new Promise<void>((done) => socket.close(() => done())),
  };
};

export type DnsServer = Awaited<ReturnType<typeof openDnsServer>>;
