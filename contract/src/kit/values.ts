/** Values of a form or a row by field name. */
export type Values = Readonly<Record<string, unknown>>;

/** True for an object with named values; an array is none. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text of a single value. Undefined for lists and objects, because `String` throws for some: `{"toString": 1}`. */
export const singleText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
