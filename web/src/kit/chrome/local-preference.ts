import { isRecord } from '@farlink/contract/kit/values.ts';
import { useState } from 'react';
import { useMe } from '../net/session.ts';

const readAll = (key: string): Readonly<Record<string, unknown>> => {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return isRecord(all) ? all : {};
  } catch {
    return {};
  }
};

/** A preference of one operator in this browser, stored by uid under one key (spec §6: per user, stored locally). */
export const useLocalPreference = <T>(key: string, isValid: (value: unknown) => value is T) => {
  const { uid } = useMe();
  const [value, setValue] = useState<T | undefined>(() => {
    const found = readAll(key)[uid];
    return isValid(found) ? found : undefined;
  });
  const write = (next: T | undefined) => {
    localStorage.setItem(key, JSON.stringify({ ...readAll(key), [uid]: next }));
    setValue(next);
  };
  return [value, write] as const;
};

export const isNames = (value: unknown): value is string[] => Array.isArray(value) && value.every((v) => typeof v === 'string');
