import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../kit/deps.ts';
import { addHttps } from '../../kit/http/https-server.ts';
import { open } from '../../kit/session/secret.ts';
import { openContextCache } from '../../kit/tls/context-cache.ts';
import { openDefaultCertificate } from '../../kit/tls/default-certificate.ts';
import type { DomainRegistry } from './domain-registry.ts';

/** TLS contexts of the domains. A new certificate has another hash, so the next handshake uses it. */
export const domainContexts = (
  { config }: { readonly config: Pick<Deps['config'], 'secretKey'> },
  domains: Pick<DomainRegistry, 'certificateOf'>,
) => {
  const contexts = openContextCache();
  return (serverName: string) => {
    const certificate = domains.certificateOf(serverName);
    if (!certificate) return undefined;
    return contexts.get(`${serverName.toLowerCase()} ${certificate.sha256}`, () => ({
      cert: certificate.cert,
      key: open(config.secretKey, certificate.sealedKey),
    }));
  };
};

/** Adds HTTPS for the domains of the registry, if HTTPS_PORT is set. */
export const serveHttps = (app: FastifyInstance, deps: Deps, domains: DomainRegistry) => {
  const { https, host, dataDir, unfinished } = deps.config;
  if (!https) return;
  const fallback = https.tls ?? openDefaultCertificate(dataDir, deps.clock.now());
  addHttps(app, { host, port: https.port, log: deps.log, unfinished, fallback, contextOf: domainContexts(deps, domains) });
};
