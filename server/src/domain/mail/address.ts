import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { MailFault } from './mail-fault.ts';

/** Networks that are nobody's mail server on the Internet: our own machine and its neighbours, and what leads back to them. */
const inside = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  inside.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  inside.addSubnet(net, bits, 'ipv6');

export const isPrivate = (address: string): boolean => inside.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

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
