import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Headers that only a proxy adds. Any of them means that the caller is somewhere else than the socket says. */
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

/** Whether no proxy passed the request on. */
export const isDirect = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => !Object.keys(headers).some(isProxyHeader);

const isLoopbackAddress = (address: string) => /^(::ffff:)?127\./.test(address) || address === '::1';

/** The name in the address bar; a proxy without headers of its own usually keeps it. */
const isLoopbackName = (host: string) => {
  const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  return isIP(name) ? isLoopbackAddress(name) : name === 'localhost' || name.endsWith('.localhost');
};

/** Whether the caller is on this machine: by the socket, because X-Forwarded-For can claim anything. */
export const isLoopback = (request: Pick<FastifyRequest, 'headers' | 'raw'>): boolean =>
  isDirect(request) && isLoopbackAddress(request.raw.socket.remoteAddress ?? '') && isLoopbackName(request.headers.host ?? '');
