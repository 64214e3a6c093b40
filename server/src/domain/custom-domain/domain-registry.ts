import type { Deps } from '../../kit/deps.ts';
import { openListener } from '../../kit/listener.ts';
import { startTicker } from '../../kit/ticker.ts';

/** Channel on which the database reports each change of a domain. */
const domainChannel = 'farlink_domain';

/** The VNO behind a host name, and what the name is for. */
export interface DomainOwner {
  readonly domain: string;
  readonly agent_id: number;
  /** Operators use `console`, subscribers use `portal`. The two never serve each other's pages. */
  readonly use: 'console' | 'portal';
  /** HTTPS is on and a certificate is stored. */
  readonly https: boolean;
  readonly cert_expire_at: number;
  /** Since when HTTPS has worked. */
  readonly https_at: number;
}

/** A certificate of a domain. The key is sealed until a TLS context needs it. */
export interface StoredCertificate {
  readonly sha256: string;
  readonly cert: string;
  readonly sealedKey: string;
}

/**
 * All domains in use, in memory: proven and enabled. A request reads `request.domainOwner`; code without a request calls `ownerOf`. Every
 * process reloads within a second of a change.
 */
export interface DomainRegistry {
  /** Owner of a Host header, with or without port. Undefined: unknown, not proven, or disabled. */
  ownerOf(host: string | undefined): DomainOwner | undefined;
  /** The certificate for a TLS server name. */
  certificateOf(serverName: string): StoredCertificate | undefined;
  size(): number;
  /** Reads the domains now. */
  load(): Promise<void>;
  close(): Promise<void>;
}

const registries = new WeakMap<Deps, DomainRegistry>();

/** The registry of this process. Undefined in a process that serves no requests. */
export const domainRegistryOf = (deps: Deps): DomainRegistry | undefined => registries.get(deps);

export const hostNameOf = (host: string): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

interface Entry {
  readonly owner: DomainOwner;
  readonly certificate: StoredCertificate | undefined;
}

const readDomains = ({ db }: Pick<Deps, 'db'>) =>
  db
    .selectFrom('domain')
    .select(['id', 'agent_id', 'domain_type', 'domain', 'https', 'cert_sha256', 'cert_expire_at', 'https_at', 'proven_at'])
    .where('proven_at', 'is not', null)
    .where('status', '=', 1)
    .where('domain', 'is not', null)
    .execute();

/** Reads only certificates that changed, because 1,000 of them are several megabytes. */
const readCertificates = async (
  { db }: Pick<Deps, 'db'>,
  rows: Awaited<ReturnType<typeof readDomains>>,
  known: ReadonlyMap<string, StoredCertificate>,
): Promise<Map<string, StoredCertificate>> => {
  const withCertificate = rows.filter((row) => row.https && row.cert_sha256 !== null);
  const missing = withCertificate.filter((row) => !known.has(row.cert_sha256 ?? '')).map((row) => row.id);
  const found =
    missing.length === 0
      ? []
      : await db.selectFrom('domain').select(['cert', 'cert_key', 'cert_sha256']).where('id', 'in', missing).execute();
  const all = new Map(
    withCertificate.flatMap(({ cert_sha256 }) => {
      const cached = known.get(cert_sha256 ?? '');
      return cached ? [[cached.sha256, cached] as const] : [];
    }),
  );
  for (const { cert, cert_key, cert_sha256 } of found)
    if (cert !== null && cert_key !== null && cert_sha256 !== null)
      all.set(cert_sha256, { sha256: cert_sha256, cert, sealedKey: cert_key });
  return all;
};

const checkMs = 1000;
const refreshMs = 30_000;

/** Opens the registry with the current domains. */
export const openDomainRegistry = async (deps: Deps): Promise<DomainRegistry> => {
  let entries = new Map<string, Entry>();
  let certificates: ReadonlyMap<string, StoredCertificate> = new Map();
  let loadedAt = 0;
  let loading: Promise<void> | undefined;
  let again = false;

  const read = async () => {
    const rows = await readDomains(deps);
    certificates = await readCertificates(deps, rows, certificates);
    entries = new Map(
      rows.flatMap((row) => {
        if (row.domain === null) return [];
        const certificate = row.https ? certificates.get(row.cert_sha256 ?? '') : undefined;
        const owner: DomainOwner = {
          domain: row.domain,
          agent_id: row.agent_id,
          use: row.domain_type,
          https: certificate !== undefined,
          cert_expire_at: row.cert_expire_at ?? 0,
          https_at: Math.max(row.https_at ?? 0, row.proven_at ?? 0),
        };
        return [[row.domain, { owner, certificate }] as const];
      }),
    );
    loadedAt = performance.now();
  };
  /** One read at a time. A change during a read causes another one. */
  const load = (): Promise<void> => {
    again = true;
    loading ??= (async () => {
      try {
        while (again) {
          again = false;
          await read();
        }
      } finally {
        loading = undefined;
      }
    })();
    return loading;
  };
  const reload = () => load().catch((error) => deps.log.warn({ reason: String(error) }, 'domains not loaded'));
  const listener = openListener(deps.pool, domainChannel, () => void reload());
  const listenAndLoad = async () => {
    try {
      const isNew = await listener.ensure();
      if (isNew || performance.now() - loadedAt > refreshMs) await load();
    } catch (error) {
      deps.log.warn({ reason: String(error) }, 'domain listener failed');
    }
  };
  await load();
  const ticker = startTicker(listenAndLoad, checkMs);
  const registry: DomainRegistry = {
    ownerOf: (host) => (host === undefined ? undefined : entries.get(hostNameOf(host))?.owner),
    certificateOf: (serverName) => entries.get(hostNameOf(serverName))?.certificate,
    size: () => entries.size,
    load,
    close: async () => {
      await ticker.stop();
      listener.close();
      await loading?.catch(() => {});
      registries.delete(deps);
    },
  };
  registries.set(deps, registry);
  return registry;
};
