import { isRecord } from '@farlink/contract/kit/values.ts';

export type Json = Readonly<Record<string, unknown>>;

export const readObject = (text: string): Json => {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new Error('the body is not an object');
  return value;
};

export const needText = (object: Json, key: string): string => {
  const value = object[key];
  if (typeof value !== 'string' || value === '') throw new Error(`${key} is missing`);
  return value;
};

export const objectOf = (object: Json, key: string): Json => {
  const value = object[key];
  return isRecord(value) ? value : {};
};
