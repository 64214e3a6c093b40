import { once } from 'node:events';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { readObject } from './json.ts';
import { makeStandInKeys, type StandInKeys } from './keys.ts';
import type { KnownOrder } from './order-book.ts';
import { type StandInOptions, startStandIn } from './stand-in.ts';

/**
 * Runs beside a console with demo data. The first line of the input has the orders of earlier starts as JSON; the first line of the output
 * has the URL and the credentials. Ends when the input is closed.
 */
const { values } = parseArgs({ options: { port: { type: 'string', default: '0' }, keys: { type: 'string', default: 'stand-in.json' } } });

const keyNames = ['our_key', 'their_key', 'root_cert', 'app_cert', 'alipay_cert', 'merchant_cert', 'platform_cert', 'api_key'] as const;

const readKeys = (text: string): StandInKeys | undefined => {
  const known = readObject(text);
  const isWhole = (value: typeof known): value is typeof known & StandInKeys => keyNames.every((name) => typeof value[name] === 'string');
  return isWhole(known) ? known : undefined;
};

/** Keeps the keys of the first start, so downloaded certificates stay valid. */
const storedKeys = async (file: string): Promise<StandInKeys> => {
  const known = readKeys(await readFile(file, 'utf8').catch(() => '{}'));
  if (known) return known;
  const keys = await makeStandInKeys(Math.floor(Date.now() / 1000));
  await writeFile(`${file}.new`, JSON.stringify(keys), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return keys;
};

const isPortInUse = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES');

/** Listens on the given port, or on any free port if it is in use. */
const listen = async (options: StandInOptions) => {
  try {
    return await startStandIn(options);
  } catch (error) {
    if (!isPortInUse(error)) throw error;
    return startStandIn({ ...options, port: 0 });
  }
};

const input = createInterface({ input: process.stdin });
input.once('close', () => process.exit(0));
const [line] = await once(input, 'line');
const orders: KnownOrder[] = JSON.parse(line);
const { url, credentials } = await listen({ port: Number(values.port), keys: await storedKeys(values.keys), orders });
process.stdout.write(`${JSON.stringify({ url, credentials })}\n`);
