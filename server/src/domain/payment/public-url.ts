import type { PublicCtx } from '../../kit/ctx.ts';

/** Public URL for providers: from the settings, else the port of this process. */
export const publicUrl = ({ deps, request }: Pick<PublicCtx, 'deps' | 'request'>): string => {
  const { publicUrl: configured, host, port } = deps.config;
  if (configured) return configured.replace(/\/+$/, '');
  const bound = request.server.server.address();
  const anywhere = host === '0.0.0.0' || host === '::';
  const name = anywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${typeof bound === 'object' && bound ? bound.port : port}`;
};
