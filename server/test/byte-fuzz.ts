import { once } from 'node:events';
import { connect } from 'node:net';
import { Random } from '@farlink/contract/kit/random.ts';

/** Same seed in every run, so that a failure repeats; FUZZ_SEED sets another. */
export const fuzzSeed = Number(process.env.FUZZ_SEED ?? 20_261_116);

/** Byte mutations of valid inputs: flips, cuts, repeats, splices of two, and boundary numbers. */
export const mutations = (corpus: readonly Uint8Array[], count: number, seed = fuzzSeed): Uint8Array[] => {
  const random = new Random(seed);
  const pick = () => corpus[random.below(corpus.length)] ?? new Uint8Array();
  const mutate = (bytes: Uint8Array): Uint8Array => {
    const at = random.below(bytes.length + 1);
    switch (random.below(6)) {
      case 0:
        return bytes.map((byte, i) => (i === at ? byte ^ (1 << random.below(8)) : byte));
      case 1:
        return bytes.slice(0, at);
      case 2:
        return Uint8Array.from([...bytes.slice(0, at), ...pick().slice(random.below(8)), ...bytes.slice(at)]);
      case 3:
        return bytes.map((byte, i) => (i === at ? ([0, 1, 127, 128, 255][random.below(5)] ?? 0) : byte));
      case 4:
        return Uint8Array.from([...bytes.slice(0, at), ...bytes.slice(at + 1 + random.below(4))]);
      default:
        return Uint8Array.from([...bytes, ...Array.from({ length: random.below(40) }, () => random.below(256))]);
    }
  };
  return Array.from({ length: count }, () => {
    let bytes = pick();
    for (let n = 1 + random.below(3); n > 0; n--) bytes = mutate(bytes);
    return bytes;
  });
};

/** Sends bytes to a port and disconnects, normally or by a reset. */
export const sendRaw = async (port: number, bytes: Uint8Array, isReset: boolean) => {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const closed = once(socket, 'close');
  socket.resume();
  await Promise.race([once(socket, 'connect').catch(() => {}), closed]);
  await new Promise((sent) => (socket.writable ? socket.write(bytes, sent) : sent(undefined)));
  if (isReset) socket.resetAndDestroy();
  else socket.end();
  const late = setTimeout(() => socket.destroy(), 300);
  await closed;
  clearTimeout(late);
};

export const sendAllRaw = async (port: number, inputs: readonly Uint8Array[]) => {
  const waiting = inputs.entries();
  const worker = async () => {
    for (const [i, bytes] of waiting) await sendRaw(port, bytes, i % 3 === 0);
  };
  await Promise.all(Array.from({ length: 12 }, worker));
};
