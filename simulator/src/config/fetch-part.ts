import { createHash } from 'node:crypto';
import type { Box } from '../box.ts';

const mostTries = 5;
const passing = [408, 425, 429];

/** It cannot be had, however often it is asked for. */
export class Hopeless extends Error {}

export const sha256Of = (body: Buffer): string => createHash('sha256').update(body).digest('hex');

/** A part of a configuration that did not fit into its message; over whichever link there is, because it is wanted now. */
export const fetchPart = async (box: Box, url: string, most: number): Promise<Buffer> => {
  let last = 'no link';
  for (let tries = 0; tries < mostTries; tries++) {
    try {
      if (box.faults.file === 'net') throw new Error('connection lost');
      const answer = await fetch(url);
      if (answer.ok) {
        const body = Buffer.from(await answer.arrayBuffer());
        if (body.length > most) throw new Hopeless(`${body.length} bytes instead of ${most}`);
        await box.wait(body.length / (box.rate() ?? 16_000));
        return body;
      }
      last = `HTTP ${answer.status}`;
      if (answer.status >= 400 && answer.status < 500 && !passing.includes(answer.status)) throw new Hopeless(last);
    } catch (error) {
      if (error instanceof Hopeless) throw error;
      last = error instanceof Error ? error.message : String(error);
    }
    await box.wait(2 ** (tries + 1));
  }
  throw new Error(last);
};
