import { addresses, type Env, mailAddress, number, optional, pemFile, setting, url } from './setting.ts';

/** Variables of HTTPS, of the domains of VNOs and of their certificates. */
export const httpsSettings = {
  httpsPort: setting(
    'HTTPS_PORT',
    'TCP port of HTTPS for the domains of VNOs; 0 selects a free port; default: no HTTPS',
    optional(number(0, 65_535)),
  ),
  httpsPublicPort: setting(
    'HTTPS_PUBLIC_PORT',
    'Port at which browsers reach HTTPS_PORT, for redirects; default: HTTPS_PORT',
    optional(number(1, 65_535)),
  ),
  httpsTlsCert: setting(
    'HTTPS_TLS_CERT',
    'PEM file of the certificate chain for PUBLIC_URL and unknown names; default: self-signed, in DATA_DIR',
    optional(pemFile),
  ),
  httpsTlsKey: setting('HTTPS_TLS_KEY', 'PEM file of the private key of HTTPS_TLS_CERT', optional(pemFile)),
  dnsServers: setting(
    'DNS_SERVERS',
    'Addresses of the DNS resolvers that check the ownership of domains, comma separated; default: those of the system',
    optional(addresses),
  ),
  acmeDirectory: setting(
    'ACME_DIRECTORY',
    'Directory URL of a certificate authority (RFC 8555) that issues certificates for domains of VNOs; default: none',
    optional(url('https:')),
  ),
  acmeContact: setting('ACME_CONTACT', 'Mail address that the certificate authority may write to', optional(mailAddress)),
  acmeCa: setting('ACME_CA', 'PEM file of CA certificates for ACME_DIRECTORY', optional(pemFile)),
};

/** Conflicts between these variables, one sentence each. */
export const httpsFaults = (has: (setting: { readonly name: string }) => boolean): string[] => {
  const { httpsTlsCert, httpsTlsKey, acmeDirectory, httpsPort } = httpsSettings;
  const faults: string[] = [];
  if (has(httpsTlsCert) !== has(httpsTlsKey)) faults.push('HTTPS_TLS_CERT and HTTPS_TLS_KEY need each other.');
  if (has(acmeDirectory) && !has(httpsPort)) faults.push('ACME_DIRECTORY needs HTTPS_PORT.');
  return faults;
};

const httpsOf = (env: Env) => {
  const port = httpsSettings.httpsPort.in(env);
  const cert = httpsSettings.httpsTlsCert.in(env);
  const key = httpsSettings.httpsTlsKey.in(env);
  if (port === undefined) return undefined;
  const tls = cert && key ? Object.freeze({ cert, key }) : undefined;
  return Object.freeze({ port, publicPort: httpsSettings.httpsPublicPort.in(env), tls });
};

const acmeOf = (env: Env) => {
  const directory = httpsSettings.acmeDirectory.in(env);
  if (!directory) return undefined;
  return Object.freeze({ directory, contact: httpsSettings.acmeContact.in(env), ca: httpsSettings.acmeCa.in(env) });
};

export const httpsConfig = (env: Env) => ({ https: httpsOf(env), dnsServers: httpsSettings.dnsServers.in(env), acme: acmeOf(env) });
