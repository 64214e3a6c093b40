import type { FastifyInstance } from 'fastify';

/** Hash of the script in `web/index.html` that sets the theme: inline, it saves a request before the first paint. */
export const themeScriptHash = 'sha256-te3kQwWJaccHDQHf7hxi6Bm6Kb7TJp+o+fckY70wBn0=';

const policy = {
  'default-src': "'self'",
  'base-uri': "'self'",
  'font-src': "'self' data:",
  'form-action': "'self'",
  'frame-ancestors': "'self'",
  'img-src': "'self' data: blob:",
  'object-src': "'none'",
  'script-src': `'self' '${themeScriptHash}'`,
  'script-src-attr': "'none'",
  // antd injects its styles at run time.
  'style-src': "'self' 'unsafe-inline'",
};

const headers = {
  'content-security-policy': Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join(';'),
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};

// On a ship's network without HTTPS the browser must not be redirected to it, so only production sends HSTS.
const strict = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

/** Security headers of every reply, built once. */
export const addHeaders = (app: FastifyInstance, production: boolean) => {
  const all = production ? { ...headers, ...strict } : headers;
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(all).header('x-request-id', request.id);
    done();
  });
};
