import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { int, type Of, obj, str } from './shape.ts';

/**
 * Dangerous websites on a gateway. It stores a hash of each domain. The console numbers each change of the list, and a page carries the
 * hashes that were added and removed from one number to another, so ten more domains cost ten hashes.
 */
export const dangerCapability = 'danger';

/** Bytes of a hash: the start of the SHA-256 of the domain. */
const hashBytes = 7;

/** Hash of a domain in lower case and ASCII form, as hexadecimal digits. */
export const domainHash = (domain: string): string =>
  createHash('sha256')
    .update(domain)
    .digest('hex')
    .slice(0, 2 * hashBytes);

const ipv4 = /^(\d{1,3}\.){3}\d{1,3}$/;

/** Domains whose entry blocks this host, the host first: each domain above it, without the top-level domain. */
export const domainsOf = (host: string): string[] => {
  if (ipv4.test(host)) return [host];
  const labels = host.split('.');
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
};

/** Maximum hashes of a page, which must fit into one message. */
export const maxPageHashes = 6800;

const revision = int(0, Number.MAX_SAFE_INTEGER);
const count = int(0, 10_000_000);
const digest = str(2 * hashBytes, /^[0-9a-f]{14}$/);
const packed = str(64_000, /^[A-Za-z0-9+/]*={0,2}$/);

/**
 * Changes `from` one revision `to` another: added and removed hashes in base64. `from` 0 begins a complete list. The last page has the number
 * of hashes and the digest of the complete list.
 */
export const downDanger = obj({ from: revision, to: revision }, { a: packed, x: packed, n: count, h: digest });
export type DownDanger = Of<typeof downDanger>;

/** Revision of the list on a gateway, with the number of its hashes and their digest. */
export const dangerListVersion = obj({ rev: revision, n: count, h: digest });
export type DangerListVersion = Of<typeof dangerListVersion>;

/** Visits to listed websites that a gateway blocked: hash of the entry and number of visits. */
export const dangerHit = obj({ site: digest, n: int(1, Number.MAX_SAFE_INTEGER) });

/** Maximum visits counted per event; a gateway reports about once a minute. */
export const maxEventHits = 100_000;

const hashesIn = (text: string | undefined): string[] => {
  const bytes = Buffer.from(text ?? '', 'base64');
  return Array.from({ length: Math.floor(bytes.length / hashBytes) }, (_, i) => bytes.toString('hex', i * hashBytes, (i + 1) * hashBytes));
};

/** The list of a gateway. Its digest is the XOR of all hashes. */
export class DangerList {
  readonly #hashes = new Set<string>();
  #rev = 0;
  #xor = 0n;

  get version(): DangerListVersion {
    return { rev: this.#rev, n: this.#hashes.size, h: this.#xor.toString(16).padStart(2 * hashBytes, '0') };
  }

  forget() {
    this.#hashes.clear();
    this.#rev = 0;
    this.#xor = 0n;
  }

  /** Applies a page. A page that does not continue the stored revision is ignored; the result shows the console where to continue. */
  take({ from, to, a, x }: DownDanger): DangerListVersion {
    if (from !== this.#rev && from !== 0) return this.version;
    if (from === 0) this.forget();
    for (const hash of hashesIn(x)) if (this.#hashes.delete(hash)) this.#xor ^= BigInt(`0x${hash}`);
    for (const hash of hashesIn(a)) {
      if (this.#hashes.has(hash)) continue;
      this.#hashes.add(hash);
      this.#xor ^= BigInt(`0x${hash}`);
    }
    this.#rev = to;
    return this.version;
  }

  /** Hash of the entry that blocks a host. */
  blockedBy(host: string): string | undefined {
    return domainsOf(host)
      .map(domainHash)
      .find((hash) => this.#hashes.has(hash));
  }
}
