import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../kit/deps.ts';
import { type DomainOwner, type DomainRegistry, hostNameOf } from './domain-registry.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The VNO whose domain was requested. Undefined on the host of the platform and on unknown hosts. */
    domainOwner: DomainOwner | undefined;
  }
}

export const challengePath = '/.well-known/acme-challenge/';

/** Paths that every host serves: health, gateways, payment providers, ACME challenges. Gateways do not follow redirects. */
export const isSharedPath = (url: string): boolean =>
  /^\/healthz(\?|$)/.test(url) ||
  /^\/(depot|gateway)\//.test(url) ||
  url.startsWith('/agt/v1/pay/notify/') ||
  url.startsWith(challengePath);

const daySeconds = 86_400;
/** Half a year. Subdomains belong to the VNO and are not included. */
const strict = 'max-age=15552000';

const misdirected = 421;

/** Names under which operators reach the platform itself. */
const isPlatformHost = (host: string, publicUrl: string | undefined) => {
  const name = hostNameOf(host).replace(/^\[|\]$/g, '');
  return isIP(name) > 0 || name === 'localhost' || name.endsWith('.localhost') || (publicUrl && name === new URL(publicUrl).hostname);
};

/** Finds the owner of each requested host, refuses unknown hosts on HTTPS, and redirects to HTTPS. */
export const addDomainRules = (app: FastifyInstance, { config, clock }: Pick<Deps, 'config' | 'clock'>, domains: DomainRegistry) => {
  const port = config.https?.publicPort ?? config.https?.port;
  const originOf = (domain: string) => `https://${domain}${port === 443 ? '' : `:${port}`}`;

  app.decorateRequest('domainOwner', undefined);
  app.addHook('onRequest', async (request, reply) => {
    const owner = domains.ownerOf(request.host);
    request.domainOwner = owner;
    const isShared = isSharedPath(request.url);
    if (!owner) {
      const isUnknown = request.raw.socket instanceof TLSSocket && !isPlatformHost(request.host ?? '', config.publicUrl);
      return isUnknown && !isShared ? reply.code(misdirected).send() : undefined;
    }
    const now = clock.now();
    const isSecure = owner.https && owner.cert_expire_at > now;
    // The header of the platform would include all subdomains of the VNO.
    reply.removeHeader('strict-transport-security');
    if (request.protocol === 'https') {
      if (isSecure && owner.https_at + daySeconds <= now) reply.header('strict-transport-security', strict);
    } else if (isSecure && port !== undefined && !isShared && (request.method === 'GET' || request.method === 'HEAD'))
      return reply.redirect(`${originOf(owner.domain)}${request.originalUrl.startsWith('/') ? request.originalUrl : '/'}`, 308);
    return undefined;
  });
};
