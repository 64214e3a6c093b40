/** Values of a form or a row by field name. */
export type Values = Readonly<Record<string, unknown>>;
