import { createHmac } from 'node:crypto';
import type { Config } from '../config.ts';
import { open, seal } from '../kit/secret.ts';

export interface ReadToken {
  readonly kind: 'read';
  readonly device: number;
  readonly key: string;
  readonly sha256: string;
  readonly until: number;
}

export interface WriteToken {
  readonly kind: 'write';
  readonly device: number;
  readonly id: string;
  readonly purpose: string;
  readonly key: string;
  readonly max: number;
  readonly until: number;
}

type Secret = Pick<Config, 'secretKey'>;

/** A key of its own: nothing else that is sealed with the installation's secret opens a door here. */
const keyOf = ({ secretKey }: Secret) => createHmac('sha256', secretKey).update('farlink depot').digest();

/** What an address allows lies sealed in the address itself: nobody can read a place out of it, or change a letter of it. */
export const sealToken = (config: Secret, token: ReadToken | WriteToken): string => {
  const parts =
    token.kind === 'read'
      ? ['r', token.device, token.key, token.sha256, token.until]
      : ['w', token.device, token.key, token.id, token.until, token.purpose, token.max];
  return seal(keyOf(config), JSON.stringify(parts));
};

export const openToken = (config: Secret, sealed: string): ReadToken | WriteToken | undefined => {
  try {
    const parts: unknown = JSON.parse(open(keyOf(config), sealed));
    if (!Array.isArray(parts)) return undefined;
    const [kind, device, key, mark, until, purpose, max] = parts;
    const shared = { device: Number(device), key: String(key), until: Number(until) };
    return kind === 'r'
      ? { kind: 'read', ...shared, sha256: String(mark) }
      : { kind: 'write', ...shared, id: String(mark), purpose: String(purpose), max: Number(max) };
  } catch {
    return undefined;
  }
};
