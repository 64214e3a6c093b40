import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const txt = 16;
const nameError = 3;

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

const txtRecord = (value: string) => {
  const text = Buffer.from(value, 'latin1');
  const head = Buffer.from([0xc0, 0x0c, 0, txt, 0, 1, 0, 0, 0, 0, 0, 0, text.length]);
  head.writeUInt16BE(text.length + 1, 10);
  return Buffer.concat([head, text]);
};

const isName = (name: string) => /^[a-z0-9_-]+(\.[a-z0-9-]+)+$/.test(name);

/** A DNS server for TXT records. Each record is a file in the folder, so that tests of all workers can set them. */
export const openDnsServer = async (folder: string) => {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    const file = join(folder, name);
    const isKnown = isName(name) && existsSync(file);
    const records = isKnown && type === txt ? [txtRecord(readFileSync(file, 'latin1'))] : [];
    const head = Buffer.from(query.subarray(0, end));
    head.writeUInt16BE(0x8180 | (isKnown ? 0 : nameError), 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, close: () => void socket.close() };
};

/** Sets a TXT record of the DNS server that the console queries. */
export const setTxt = async (name: string, value: string) => {
  const folder = process.env.E2E_DNS;
  if (!folder) throw new Error('E2E_DNS must name the folder of records of a DNS server that the console queries.');
  await writeFile(join(folder, name.toLowerCase()), value);
};
