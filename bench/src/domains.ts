import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { connect, createSecureContext, createServer, type Server } from 'node:tls';
import type { StoredCertificate } from '../../server/src/domain/custom-domain/domain-registry.ts';
import { domainContexts } from '../../server/src/domain/custom-domain/serve-https.ts';
import { open, seal } from '../../server/src/kit/session/secret.ts';
import { makeCertificate, pemOf } from '../../server/src/kit/tls/certificate.ts';
import { runInTurns, Turn, table } from './measure.ts';

const count = 1000;
const day = 86_400;
const nameOf = (i: number) => `noc${i}.example.com`;

/** Certificates of 1,000 domains with an intermediate, sealed as in the database. */
const makeCertificates = (secretKey: Buffer): Map<string, StoredCertificate> => {
  const now = Math.floor(Date.now() / 1000);
  const dates = { beginAt: now - day, endAt: now + 90 * day };
  const issuer = { commonName: 'Bench', key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey };
  const middle = pemOf('CERTIFICATE', makeCertificate({ ...issuer, ...dates, isAuthority: true }));
  return new Map(
    Array.from({ length: count }, (_, i) => {
      const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const leaf = makeCertificate({ commonName: nameOf(i), names: [nameOf(i)], key, issuer, ...dates });
      const sealedKey = seal(secretKey, key.export({ type: 'pkcs8', format: 'pem' }).toString());
      return [nameOf(i), { sha256: randomBytes(32).toString('hex'), cert: pemOf('CERTIFICATE', leaf) + middle, sealedKey }] as const;
    }),
  );
};

const listening = (server: Server) =>
  new Promise<number>((done) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      done(address && typeof address === 'object' ? address.port : 0);
    });
  });

const handshake = (port: number, servername: string) =>
  new Promise<void>((done, failed) => {
    const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false }, () => {
      socket.destroy();
      done();
    });
    socket.on('error', failed);
  });

const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(0)} MB`;

/** Memory of 1,000 domains, and the cost of a handshake compared with one fixed certificate. */
export const benchDomains = async () => {
  const secretKey = randomBytes(32);
  const certificates = makeCertificates(secretKey);
  const first = certificates.get(nameOf(0));
  if (!first) throw new Error('no certificate');
  const hosts = { certificateOf: (name: string) => certificates.get(name) };
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const contextOf = domainContexts({ config: { secretKey } }, hosts);
  const begun = performance.now();
  for (let i = 0; i < count; i++) contextOf(nameOf(i));
  const eachMs = (performance.now() - begun) / count;
  const grown = process.memoryUsage().rss - before;

  const fixed = createSecureContext({ cert: first.cert, key: open(secretKey, first.sealedKey) });
  const fallback = { cert: first.cert, key: open(secretKey, first.sealedKey) };
  const many = createServer({ ...fallback, SNICallback: (name, done) => done(null, contextOf(name)) }, (socket) =>
    socket.on('error', () => {}),
  );
  const one = createServer({ ...fallback, SNICallback: (_, done) => done(null, fixed) }, (socket) => socket.on('error', () => {}));
  const manyPort = await listening(many);
  const onePort = await listening(one);
  let turn = 0;
  const turns = [new Turn(() => handshake(manyPort, nameOf(turn++ % count)), 2), new Turn(() => handshake(onePort, nameOf(0)), 2)] as const;
  await runInTurns(turns, 4);
  const domains = turns[0].measured;
  const single = turns[1].measured;
  many.close();
  one.close();
  table('1,000 domains with certificates', [
    ['memory of all TLS contexts', megabytes(grown), 'target < 100 MB'],
    ['first use of a certificate', `${eachMs.toFixed(2)} ms`],
    ['handshakes/s, 1,000 domains in turn', domains.perSecond.toFixed(0)],
    ['handshakes/s, one fixed certificate', single.perSecond.toFixed(0)],
    ['ratio', (domains.perSecond / single.perSecond).toFixed(2), 'target >= 0.80'],
  ]);
};
