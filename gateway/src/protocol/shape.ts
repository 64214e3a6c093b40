/**
 * Schema of a message. Unknown fields are ignored, so that an older side accepts a newer one. An invalid known field refuses the whole
 * message, with its path and the expected value.
 */
export interface Shape<T> {
  read(raw: unknown, at: string): T;
}

export type Of<S> = S extends Shape<infer T> ? T : never;

class ShapeError extends Error {}

export const mismatch = (at: string, expected: string): never => {
  throw new ShapeError(`${at || 'body'}: ${expected}`);
};

export type Parsed<T> = { readonly value: T } | { readonly reason: string };

export const parse = <T>(shape: Shape<T>, raw: unknown): Parsed<T> => {
  try {
    return { value: shape.read(raw, '') };
  } catch (error) {
    if (error instanceof ShapeError) return { reason: error.message };
    throw error;
  }
};

export const parseJson = <T>(shape: Shape<T>, text: string): Parsed<T> => {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return { reason: 'body: not JSON' };
  }
  return parse(shape, raw);
};

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export const isObject = (raw: unknown): raw is Record<string, unknown> => typeof raw === 'object' && raw !== null && !Array.isArray(raw);

/** A text that PostgreSQL can store: well-formed Unicode, no NUL. */
export const str = (max: number, pattern?: RegExp): Shape<string> => ({
  read: (raw, at) =>
    typeof raw === 'string' && raw.length <= max && raw.isWellFormed() && !raw.includes('\0') && (!pattern || pattern.test(raw))
      ? raw
      : mismatch(at, pattern ? `a text like ${pattern.source}` : `a text of at most ${max} characters`),
});

export const int = (min: number, max: number): Shape<number> => ({
  read: (raw, at) =>
    typeof raw === 'number' && Number.isSafeInteger(raw) && raw >= min && raw <= max ? raw : mismatch(at, `a whole number ${min}..${max}`),
});

export const num = (min: number, max: number): Shape<number> => ({
  read: (raw, at) => (typeof raw === 'number' && raw >= min && raw <= max ? raw : mismatch(at, `a number ${min}..${max}`)),
});

export const flag: Shape<boolean> = {
  read: (raw, at) => (raw === true || raw === 1 ? true : raw === false || raw === 0 ? false : mismatch(at, 'true or false')),
};

export const oneOf = <const L extends readonly (string | number)[]>(choices: L): Shape<L[number]> => ({
  read: (raw, at) => choices.find((c) => c === raw) ?? mismatch(at, `one of ${choices.join(' ')}`),
});

export const list = <T>(item: Shape<T>, max: number): Shape<T[]> => ({
  read: (raw, at) =>
    Array.isArray(raw) && raw.length <= max ? raw.map((one, i) => item.read(one, `${at}[${i}]`)) : mismatch(at, `a list of at most ${max}`),
});

export const record = <T>(key: RegExp, item: Shape<T>, max: number): Shape<Record<string, T>> => ({
  read: (raw, at) => {
    if (!isObject(raw) || Object.keys(raw).length > max) return mismatch(at, `an object of at most ${max} entries`);
    const out: Record<string, T> = {};
    for (const [name, one] of Object.entries(raw)) {
      if (!key.test(name)) return mismatch(at, `keys like ${key.source}`);
      out[name] = item.read(one, `${at}.${name}`);
    }
    return out;
  },
});

const maxDepth = 16;

const isJson = (raw: unknown, depth: number): raw is Json => {
  if (raw === null || typeof raw === 'boolean' || typeof raw === 'number') return true;
  if (typeof raw === 'string') return raw.isWellFormed() && !raw.includes('\0');
  if (depth >= maxDepth || typeof raw !== 'object') return false;
  return Array.isArray(raw)
    ? raw.every((one) => isJson(one, depth + 1))
    : Object.entries(raw).every(([key, one]) => isJson(key, depth) && isJson(one, depth + 1));
};

/** A JSON object of any content, limited in depth. */
export const document: Shape<JsonObject> = {
  read: (raw, at) => (isObject(raw) && isJson(raw, 0) ? { ...raw } : mismatch(at, `an object, at most ${maxDepth} deep`)),
};

const hasOwnNames = (value: Json): boolean => {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(hasOwnNames);
  return Object.entries(value).every(([name, one]) => !(name in Object.prototype) && hasOwnNames(one));
};

/** A document of a gateway. Names such as `toString` are refused: an object with them cannot be shown as text. */
export const reportedDocument: Shape<JsonObject> = {
  read: (raw, at) => {
    const doc = document.read(raw, at);
    return hasOwnNames(doc) ? doc : mismatch(at, 'no names of Object.prototype, such as toString');
  },
};

type Shapes = Readonly<Record<string, Shape<unknown>>>;
type Whole<R extends Shapes, O extends Shapes> = { readonly [K in keyof R]: Of<R[K]> } & { readonly [K in keyof O]?: Of<O[K]> };

export const obj = <R extends Shapes, O extends Shapes = Record<never, never>>(required: R, optional?: O): Shape<Whole<R, O>> => ({
  read: (raw, at) => {
    if (!isObject(raw)) return mismatch(at, 'an object');
    const out: Record<string, unknown> = {};
    for (const [name, shape] of Object.entries(required)) out[name] = shape.read(raw[name], at ? `${at}.${name}` : name);
    for (const [name, shape] of Object.entries(optional ?? {}))
      if (raw[name] !== undefined && raw[name] !== null) out[name] = shape.read(raw[name], at ? `${at}.${name}` : name);
    // Each field was parsed by its shape, which the compiler cannot infer.
    return out as Whole<R, O>;
  },
});

/** A tuple: `[lat, lon, …]`. */
export const row = <const L extends readonly Shape<unknown>[]>(...items: L): Shape<{ [K in keyof L]: Of<L[K]> }> => ({
  read: (raw, at) => {
    if (!Array.isArray(raw) || raw.length !== items.length) return mismatch(at, `a list of ${items.length}`);
    return items.map((shape, i) => shape.read(raw[i], `${at}[${i}]`)) as { [K in keyof L]: Of<L[K]> };
  },
});
