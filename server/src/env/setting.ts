import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

export type Env = Readonly<Record<string, string | undefined>>;

/** Converts the text of a variable to a value, or throws the end of the sentence "NAME must be …". */
type Read<T> = (text: string | undefined) => T;

class Unfit extends Error {}

export const must = (what: string): never => {
  throw new Unfit(what);
};

export type Setting<T> = {
  readonly name: string;
  readonly about: string;
  readonly fallback: string | undefined;
  readonly in: (env: Env) => T;
  readonly fault: (env: Env) => string[];
};

/** An empty variable counts as unset, as in `PORT= npm start`. */
export const setting = <T>(name: string, about: string, read: Read<T>, fallback?: string): Setting<T> => {
  const from = (env: Env) => read(env[name]?.trim() || fallback);
  const fault = (env: Env) => {
    try {
      from(env);
      return [];
    } catch (error) {
      if (error instanceof Unfit) return [`${name} must be ${error.message}.`];
      throw error;
    }
  };
  return { name, about, fallback, in: from, fault };
};

export const optional =
  <T>(read: Read<T>): Read<T | undefined> =>
  (value) =>
    value === undefined ? undefined : read(value);

export const text: Read<string> = (value) => value ?? must('set');

export const number =
  (min: number, max: number): Read<number> =>
  (value = '') =>
    /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : must(`a whole number from ${min} to ${max}`);

export const flag: Read<boolean> = (value = '') => {
  if (['on', 'true', 'yes', '1'].includes(value.toLowerCase())) return true;
  return ['off', 'false', 'no', '0'].includes(value.toLowerCase()) ? false : must('on or off');
};

export const oneOf =
  <const T extends readonly string[]>(choices: T): Read<T[number]> =>
  (value) =>
    choices.find((c) => c === value) ?? must(`one of ${choices.join(', ')}`);

export const list =
  <const T extends readonly string[]>(choices: T): Read<T[number][]> =>
  (value = '') =>
    [...new Set(value.split(',').map((item) => item.trim()))].map(
      (part) => choices.find((c) => c === part) ?? must(`a comma-separated list of ${choices.join(', ')}`),
    );

export const letters =
  (count: number): Read<string> =>
  (value = '') =>
    new RegExp(`^[a-zA-Z0-9]{${count}}$`).test(value) ? value : must(`${count} letters or digits`);

/** The message never contains the value, because a URL may contain a password. */
export const url =
  (...protocols: string[]): Read<string> =>
  (value = '') =>
    URL.canParse(value) && protocols.includes(new URL(value).protocol) && new URL(value).hostname
      ? value
      : must(`an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);

/** An origin with a wildcard: `https://*.remote.example.com`. */
export const wildcard: Read<string> = (value = '') => {
  const fits = /^https?:\/\/\*(\.[a-z0-9-]+)+(:\d{1,5})?\/?$/i.test(value);
  return fits ? value.toLowerCase().replace(/\/$/, '') : must('an address such as https://*.remote.example.com');
};

/** `host` or `host:port`. */
export const hostAndPort: Read<{ host: string; port: number | undefined }> = (value = '') => {
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(value) ?? [];
  return host
    ? { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? undefined : Number(port) }
    : must('a host, or a host and a port');
};

export const secret32: Read<Buffer> = (value = '') => {
  const hex = /^[0-9a-f]{64}$/i.test(value);
  const base64 = /^[\w+/-]{43}=?$/.test(value);
  return hex || base64 ? Buffer.from(value, hex ? 'hex' : 'base64') : must('32 bytes, as 64 hex digits or 44 characters of base64');
};

export const trustedProxies: Read<boolean | string[]> = (value = '') => {
  if (value === 'on' || value === 'off') return value === 'on';
  const items = value.split(',').map((part) => part.trim());
  return items.every((item) => isIP(item.replace(/\/\d{1,3}$/, '')) > 0) ? items : must('off, on, or addresses, comma separated');
};

/** IP addresses, each with an optional port: `10.0.0.2,[fd00::1]:5353`. */
export const addresses: Read<string[]> = (value = '') => {
  const items = value.split(',').map((part) => part.trim());
  const fits = (item: string) => isIP(item) > 0 || isIP(item.replace(/:\d{1,5}$/, '').replace(/^\[|\]$/g, '')) > 0;
  return items.every(fits) ? items : must('IP addresses, comma separated, each with an optional port');
};

export const mailAddress: Read<string> = (value = '') =>
  /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+$/.test(value) ? value : must('a mail address');

/** Content of the PEM file at this path. */
export const pemFile: Read<string> = (value = '') => {
  try {
    const text = readFileSync(value, 'utf8');
    if (text.includes('-----BEGIN ')) return text;
  } catch {
    return must('a file that can be read');
  }
  return must('a file in PEM format');
};
