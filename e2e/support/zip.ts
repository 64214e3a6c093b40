import { crc32 } from 'node:zlib';

/** A ZIP of stored files, as Playwright takes it for a file input. */
export const zipFile = (name: string, files: Readonly<Record<string, string | Buffer>>) => {
  const [buffers, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const data = Buffer.from(content);
    const label = Buffer.from(path);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(33, 8);
    head.writeUInt32LE(crc32(data), 10);
    head.writeUInt32LE(data.length, 14);
    head.writeUInt32LE(data.length, 18);
    head.writeUInt16LE(label.length, 22);
    buffers.push(Buffer.from('PK\x03\x04', 'latin1'), head, label, data);
    const entry = Buffer.alloc(46);
    entry.write('PK\x01\x02', 'latin1');
    entry.writeUInt16LE(20, 4);
    head.copy(entry, 6);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, label);
    offset += 30 + label.length + data.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  const count = Object.keys(files).length;
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return { name, mimeType: 'application/zip', buffer: Buffer.concat([...buffers, index, end]) };
};
