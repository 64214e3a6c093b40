import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isPrivate } from '../../kit/http/private-address.ts';
import { MailFault } from './mail-fault.ts';

const lookupMs = 10_000;

const resolve = async (host: string): Promise<string[]> => {
  if (isIP(host) > 0) return [host];
  const timer = new AbortController();
  const timeout = pause(lookupMs, undefined, { signal: timer.signal }).then(() => {
    throw new MailFault('lookup', host);
  });
  try {
    const found = await Promise.race([lookup(host, { all: true }), timeout]);
    // IPv4 first, because not every host has an IPv6 route.
    return found.sort((a, b) => a.family - b.family).map(({ address }) => address);
  } catch {
    throw new MailFault('lookup', host);
  } finally {
    timer.abort();
    timeout.catch(() => {});
  }
};

/**
 * Address to connect to. A VNO may enter any host, so the resolved address is checked and then used directly: a second lookup could return
 * another address.
 */
export const addressOf = async (host: string, allowPrivate: boolean): Promise<string> => {
  const found = await resolve(host);
  const address = allowPrivate ? found[0] : found.find((one) => !isPrivate(one));
  if (address === undefined) throw new MailFault('private', host);
  return address;
};
