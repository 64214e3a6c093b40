import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Headers that only a proxy adds. With any of them, the socket address is not the caller's. */
const proxyHeaders = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'client-ip',
  'cf-connecting-ip',
];
const isProxyHeader = (name: string) => name.startsWith('x-forwarded') || name.startsWith('x-original-') || proxyHeaders.includes(name);

/** True if no proxy forwarded the request. */
export const isDirect = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => !Object.keys(headers).some(isProxyHeader);

const isLoopbackAddress = (address: string) => /^(::ffff:)?127\./.test(address) || address === '::1';

/** Host header; a proxy without other headers usually keeps it. */
const isLoopbackName = (host: string) => {
  const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  return isIP(name) ? isLoopbackAddress(name) : name === 'localhost' || name.endsWith('.localhost');
};

/** True if the caller is on this machine. It uses the socket address, because X-Forwarded-For can be forged. */
export const isLoopback = (request: Pick<FastifyRequest, 'headers' | 'raw'>): boolean =>
  isDirect(request) && isLoopbackAddress(request.raw.socket.remoteAddress ?? '') && isLoopbackName(request.headers.host ?? '');
