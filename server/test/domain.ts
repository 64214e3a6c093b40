import type { Values } from '@farlink/contract/kit/values.ts';
import { domainCalls } from '@farlink/contract/market/domain.ts';
import { proofToken } from '../src/domain/custom-domain/proof.ts';
import { type Api, type Caller, type Reply, readReply } from './api.ts';
import type { DnsServer } from './dns-server.ts';

export type DomainUse = 'console' | 'portal';

export const fileOf = (content: string | Uint8Array<ArrayBuffer>, name: string) => new File([content], name);
/** Certificate and key of the form, as a browser sends them. */
export const filesOf = (pair: { readonly full: string; readonly key: string }) => ({
  cert_file: fileOf(pair.full, 'site.crt'),
  key_file: fileOf(pair.key, 'site.key'),
});

export const domainRow = async (by: Caller, use: DomainUse) => {
  const { data } = await by.call(domainCalls.list, { domain_type: use });
  const [row] = data.list;
  if (!row || data.total !== 1) throw new Error('one row per use');
  return row;
};

/** Sends the form of one row, with its files. */
export const sendDomain = async (api: Api, by: Caller, id: number, values: Values): Promise<Reply> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) {
    if (value instanceof File) form.append(name, value);
    else if (value !== undefined) form.append(name, String(value));
  }
  const response = await fetch(`${api.base}/agt/v1/domain/${id}`, {
    method: 'PUT',
    headers: { authorization: by.session?.token ?? '' },
    body: form,
  });
  return readReply(response);
};

export const setDomain = async (api: Api, by: Caller, use: DomainUse, values: Values): Promise<Reply> => {
  const { id, version } = await domainRow(by, use);
  return sendDomain(api, by, id, { version, status: 1, https: false, ...values });
};

/** Publishes the TXT record of the row and checks it. */
export const proveDomain = async (api: Api, dns: DnsServer, by: Caller, use: DomainUse) => {
  const { id, domain } = await domainRow(by, use);
  dns.set(`_farlink.${domain}`, 'v=spf1 -all', proofToken(api.deps.config.secretKey, by.session?.agent_id ?? 0, domain ?? ''));
  return by.call(domainCalls.check, { id });
};
