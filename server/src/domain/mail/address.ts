import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isPrivate } from '../../kit/http/private-address.ts';
import { MailFault } from './mail-fault.ts';

const lookupMs = 10_000;

const resolve = async (host: string): Promise<string[]> => {
  if (isIP(host) > 0) return [host];
  const patience = new AbortController();
  const late = pause(lookupMs, undefined, { signal: patience.signal }).then(() => {
    throw new MailFault('lookup', host);
  });
  try {
    const found = await Promise.race([lookup(host, { all: true }), late]);
    // Not every machine has a way to the Internet by IPv6.
    return found.sort((a, b) => a.family - b.family).map(({ address }) => address);
  } catch {
    throw new MailFault('lookup', host);
  } finally {
    patience.abort();
    late.catch(() => {});
  }
};

/**
 * The address to connect to. A VNO may name any host, so the address itself is judged and then used: a name that is looked up twice
 * could have changed its mind in between.
 */
export const addressOf = async (host: string, allowPrivate: boolean): Promise<string> => {
  const found = await resolve(host);
  const address = allowPrivate ? found[0] : found.find((one) => !isPrivate(one));
  if (address === undefined) throw new MailFault('private', host);
  return address;
};
