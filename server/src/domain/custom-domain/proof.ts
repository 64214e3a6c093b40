import { createHmac } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import type { Config } from '../../env/config.ts';

export const proofName = (domain: string) => `_farlink.${domain}`;

/** The value depends on VNO and domain, so the record of one VNO proves nothing for another. */
export const proofToken = (secretKey: Buffer, agentId: number, domain: string): string =>
  `farlink-${createHmac('sha256', secretKey).update(`domain proof\n${agentId}\n${domain}`).digest('hex').slice(0, 40)}`;

export type TxtAnswer = { readonly values: readonly string[] } | { readonly error: 'missing' | 'resolver' };

const noSuchName = ['ENOTFOUND', 'ENODATA'];

/** The values of a TXT record. A name that does not exist differs from a resolver that does not answer. */
export const readTxt = async ({ dnsServers }: Pick<Config, 'dnsServers'>, name: string): Promise<TxtAnswer> => {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  try {
    if (dnsServers) resolver.setServers(dnsServers);
    const records = await resolver.resolveTxt(name);
    // A long value is split into strings of 255 bytes.
    return { values: records.map((strings) => strings.join('').trim()) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return { error: noSuchName.includes(code) ? 'missing' : 'resolver' };
  }
};
