import { createHmac } from 'node:crypto';
import type { Config } from '../env/config.ts';
import { open, seal } from '../kit/session/secret.ts';

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

/** A secret configuration file: stored sealed, sent decrypted. */
export interface SecretToken {
  readonly kind: 'secret';
  readonly device: number;
  readonly key: string;
  readonly sha256: string;
  readonly until: number;
}

/** A document that is too long for an MQTT message. */
export interface SectionToken {
  readonly kind: 'section';
  readonly device: number;
  readonly section: string;
  readonly rev: number;
  readonly until: number;
}

export type Token = ReadToken | WriteToken | SecretToken | SectionToken;

type Secret = Pick<Config, 'secretKey'>;

/** Separate key, so that other values sealed with the installation secret are not valid tokens. */
const keyOf = ({ secretKey }: Secret) => createHmac('sha256', secretKey).update('farlink depot').digest();

/** A token is sealed: its content cannot be read or changed. */
export const sealToken = (config: Secret, token: Token): string => seal(keyOf(config), JSON.stringify(valuesOf(token)));

const valuesOf = (token: Token) => {
  switch (token.kind) {
    case 'read':
      return ['r', token.device, token.key, token.sha256, token.until];
    case 'secret':
      return ['s', token.device, token.key, token.sha256, token.until];
    case 'section':
      return ['d', token.device, token.section, token.rev, token.until];
    case 'write':
      return ['w', token.device, token.key, token.id, token.until, token.purpose, token.max];
  }
};

export const openToken = (config: Secret, sealed: string): Token | undefined => {
  try {
    const values: unknown = JSON.parse(open(keyOf(config), sealed));
    if (!Array.isArray(values)) return undefined;
    const [kind, device, key, value, until, purpose, max] = values;
    const shared = { device: Number(device), key: String(key), until: Number(until) };
    if (kind === 'r') return { kind: 'read', ...shared, sha256: String(value) };
    if (kind === 's') return { kind: 'secret', ...shared, sha256: String(value) };
    if (kind === 'd') return { kind: 'section', device: shared.device, section: shared.key, rev: Number(value), until: shared.until };
    return { kind: 'write', ...shared, id: String(value), purpose: String(purpose), max: Number(max) };
  } catch {
    return undefined;
  }
};
