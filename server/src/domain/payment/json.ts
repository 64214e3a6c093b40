import { isRecord } from '@farlink/contract/kit/values.ts';
import { unreadable } from './payment-error.ts';

export type Json = Readonly<Record<string, unknown>>;

export const readObject = (text: string): Json => {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // refused below
  }
  throw unreadable('json');
};

export const textOf = (object: Json, key: string): string | undefined => {
  const value = object[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export const needText = (object: Json, key: string): string => {
  const value = textOf(object, key);
  if (value === undefined) throw unreadable(key);
  return value;
};

export const objectOf = (object: Json, key: string): Json => {
  const value = object[key];
  return isRecord(value) ? value : {};
};

export const objectsOf = (object: Json, key: string): Json[] => {
  const value = object[key];
  return Array.isArray(value) ? value.filter(isRecord) : [];
};
