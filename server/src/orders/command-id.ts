import { randomBytes } from 'node:crypto';

/** Bits of the time in an id: about 36 minutes in microseconds. */
const timeBits = 31;
const randomBits = 17;

/**
 * 12 hexadecimal digits: time in microseconds, then random bits. Commands of the same second are sent in the order of their ids, and must
 * reach the gateway in the order in which they were requested.
 */
export const newCommandId = (nowUs = Math.floor((performance.timeOrigin + performance.now()) * 1000)): string => {
  const random = randomBytes(3).readUIntBE(0, 3) % 2 ** randomBits;
  return ((nowUs % 2 ** timeBits) * 2 ** randomBits + random).toString(16).padStart(12, '0');
};
