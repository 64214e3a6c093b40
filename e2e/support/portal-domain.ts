import { get } from 'node:https';
import { domainCalls } from '@farlink/contract/market/domain.ts';
import { expect, request } from '@playwright/test';
import type { Caller } from './api.ts';
import { newIssuedCertificate } from './certificate.ts';
import { setTxt } from './dns-server.ts';

export const authority = 'Farlink Test CA';

/** Status of the first page over HTTPS, or why the connection failed. Only this CA is trusted, and the name is checked. */
const statusOf = (domain: string, port: string, ca: Buffer): Promise<number | string> =>
  new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, servername: domain, ca, agent: false, headers: { host: `${domain}:${port}` } };
    get({ ...options, path: '/zh/' }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    }).on('error', (error) => resolve('code' in error ? String(error.code) : error.message));
  });

/** Gives the VNO a portal domain with a certificate of a test CA, and proves it. */
export const makePortalDomain = async (by: Caller, domain: string) => {
  const port = process.env.E2E_HTTPS;
  if (!port) throw new Error('E2E_HTTPS must name the HTTPS port of the server.');
  const { cert, key, ca, keyHash } = newIssuedCertificate(domain, authority);
  const rowOf = async () => {
    const [row] = (await by.call(domainCalls.list, { domain_type: 'portal' })).list;
    if (!row) throw new Error('the VNO has no row for its portal domain');
    return row;
  };
  const { id, version } = await rowOf();
  const http = await request.newContext({ baseURL: process.env.E2E_URL, extraHTTPHeaders: { authorization: by.session.token } });
  const reply = await http.put(`/agt/v1/domain/${id}`, {
    multipart: { version: String(version), status: '1', https: 'true', cert_source: 'upload', domain, cert_file: cert, key_file: key },
  });
  expect(await reply.json()).toMatchObject({ code: 0 });
  await http.dispose();
  // Without the record the domain is not served: the platform's own certificate answers.
  expect((await by.call(domainCalls.check, { id })).is_proven).toBe(false);
  expect(await statusOf(domain, port, ca)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
  const { txt_name, txt_value } = await rowOf();
  await setTxt(String(txt_name), String(txt_value));
  expect((await by.call(domainCalls.check, { id })).is_proven).toBe(true);
  await expect.poll(() => statusOf(domain, port, ca)).toBe(200);
  return { url: `https://${domain}:${port}/`, keyHash };
};
