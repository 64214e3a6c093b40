import { Buffer } from 'node:buffer';
import { lengthOf } from './packet.ts';

/** Splits a RadSec stream into packets. Returns false for a length that no packet has. */
export const packetReader = (take: (bytes: Buffer) => void) => {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk: Buffer): boolean => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= 4) {
      const length = lengthOf(rest);
      if (length === undefined) return false;
      if (rest.length < length) return true;
      take(Buffer.from(rest.subarray(0, length)));
      rest = rest.subarray(length);
    }
    return true;
  };
};
