import { createSecureContext, type SecureContext } from 'node:tls';

export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/**
 * TLS contexts by key, made on first use. A context takes some 40 KB outside the heap, so the least recently used ones are dropped. Open
 * connections keep theirs.
 */
export const openContextCache = (maxContexts = 1000) => {
  const contexts = new Map<string, SecureContext>();
  return {
    get: (key: string, read: () => CertificatePair): SecureContext => {
      const found = contexts.get(key) ?? createSecureContext({ ...read(), minVersion: 'TLSv1.2' });
      contexts.delete(key);
      contexts.set(key, found);
      const [oldest] = contexts.keys();
      if (contexts.size > maxContexts && oldest !== undefined) contexts.delete(oldest);
      return found;
    },
    size: () => contexts.size,
  };
};
