import type { KeyObject } from 'node:crypto';
import { openValues } from './sealed-values.ts';
import { unwrapKey } from './subject-keys.ts';

/** Columns of a row with sealed values, and the wrapped key if it still exists. */
export interface SealedRow {
  readonly key_id: number | null;
  readonly sealed: Buffer | null;
  readonly wrapped: string | null;
}

export interface OpenedRow {
  /** Why there are no values: the key was deleted, or it cannot be opened by the secret key of the installation. */
  readonly closed?: 'erased' | 'unreadable';
  readonly values: Readonly<Record<string, string>>;
}

const nothing: OpenedRow = { values: {} };
const maxKeys = 1000;

/** Opens the rows of one list or export. Keys are kept for its duration only, because a deleted key must not be used again. */
export const rowOpener = (secretKey: Buffer): ((row: SealedRow) => OpenedRow) => {
  const keys = new Map<number, KeyObject | undefined>();
  const keyOf = (id: number, wrapped: string): KeyObject | undefined => {
    if (keys.has(id)) return keys.get(id);
    if (keys.size >= maxKeys) keys.clear();
    const key = unwrapKey(secretKey, wrapped);
    keys.set(id, key);
    return key;
  };
  return ({ key_id, sealed, wrapped }) => {
    if (sealed === null || key_id === null) return nothing;
    if (wrapped === null) return { closed: 'erased', values: {} };
    const key = keyOf(key_id, wrapped);
    return key ? { values: openValues(key, sealed).values } : { closed: 'unreadable', values: {} };
  };
};
