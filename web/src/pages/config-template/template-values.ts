import type { TemplatePart } from '@farlink/contract/config/template.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayField, GatewayFields } from '@farlink/gateway/kit/field.ts';
import { document, parse } from '@farlink/gateway/protocol/shape.ts';

/** What of a page a template says while it is being edited: what is named is set, what is undefined or null there is emptied. */
export interface EditedRow {
  readonly key: string;
  readonly only: boolean;
  readonly set: Values;
}
export interface EditedTemplatePart {
  readonly set: Values;
  readonly rows: readonly EditedRow[];
}
export type EditedTemplateParts = Readonly<Record<string, EditedTemplatePart>>;

const variable = /(^|[^$])\$\{/;

/** A text that is another at each device can only be judged there. */
export const hasVariable = (value: unknown): boolean => {
  if (typeof value === 'string') return variable.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasVariable);
};

/** As a control of its own: it is not asked for, and it does not hang on what other templates say. */
export const alone = ({ when: _, ...field }: GatewayField): GatewayField => ({ ...field, required: false });

/** A row that a ref names may be that of any device, so its key is typed. */
export const asTyped = (field: GatewayField): GatewayField =>
  field.kind === 'ref' ? { ...alone(field), kind: 'text', max: 64 } : alone(field);

/** Not there for sure: this very template sets what steers it to something else. */
export const isHidden = (fields: GatewayFields, name: string, set: Values): boolean => {
  const steer = fields[name]?.steer;
  if (!steer) return false;
  const [neighbour, value] = steer;
  return (neighbour in set && set[neighbour] !== value && !hasVariable(set[neighbour])) || isHidden(fields, neighbour, set);
};

export const startValue = ({ kind, default: start }: GatewayField): unknown => start ?? (kind === 'bool' ? false : undefined);

export const without = (set: Values, name: string): Values => Object.fromEntries(Object.entries(set).filter(([key]) => key !== name));

export const countOf = ({ set, rows }: EditedTemplatePart): number =>
  Object.keys(set).length + rows.reduce((sum, row) => sum + Math.max(1, Object.keys(row.set).length), 0);

export const toEdited = ({ set = {}, rows = [] }: TemplatePart): EditedTemplatePart => ({
  set,
  rows: rows.map(({ key, only, set: row }) => ({ key, only: only === true, set: row })),
});

/** What is undefined would get lost on the way; that it is empty is the point. */
const whole = (set: Values) => {
  const read = parse(document, Object.fromEntries(Object.entries(set).map(([name, value]) => [name, value ?? null])));
  return 'value' in read ? read.value : {};
};

export const toSent = (kind: 'form' | 'list', { set, rows }: EditedTemplatePart): TemplatePart =>
  kind === 'list' ? { rows: rows.map((row) => ({ key: row.key, only: row.only, set: whole(row.set) })) } : { set: whole(set) };

/** Refusals of one page or row, by their path in it. */
export const errorsBelow = (errors: Readonly<Record<string, string>>, at: string): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).flatMap(([path, text]) => (path.startsWith(at) ? [[path.slice(at.length), text]] : [])));
