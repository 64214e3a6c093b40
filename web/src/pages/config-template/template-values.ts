import type { TemplatePart } from '@farlink/contract/config/config-template.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayField, GatewayFields } from '@farlink/gateway/kit/field.ts';
import { document, parse } from '@farlink/gateway/protocol/shape.ts';

/** Template values of a page during editing: a listed field is set; undefined or null clears it. */
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

/** A value with a variable differs by device, so it can be validated only there. */
export const hasVariable = (value: unknown): boolean => {
  if (typeof value === 'string') return variable.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasVariable);
};

/** The field without `required` and without its condition on other fields. */
export const withoutConditions = ({ when: _, ...field }: GatewayField): GatewayField => ({ ...field, required: false });

/** The referenced row depends on the device, so its key is entered as text. */
export const asTyped = (field: GatewayField): GatewayField =>
  field.kind === 'ref' ? { ...withoutConditions(field), kind: 'text', max: 64 } : withoutConditions(field);

/** Hidden for sure: this template sets the controlling field to another value. */
export const isHidden = (fields: GatewayFields, name: string, set: Values): boolean => {
  const steer = fields[name]?.visibleIf;
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

/** JSON drops undefined, so an empty value becomes null. */
const withNulls = (set: Values) => {
  const read = parse(document, Object.fromEntries(Object.entries(set).map(([name, value]) => [name, value ?? null])));
  return 'value' in read ? read.value : {};
};

export const toSent = (kind: 'form' | 'list', { set, rows }: EditedTemplatePart): TemplatePart =>
  kind === 'list' ? { rows: rows.map((row) => ({ key: row.key, only: row.only, set: withNulls(row.set) })) } : { set: withNulls(set) };

/** Errors of one page or row, by their path in it. */
export const errorsBelow = (errors: Readonly<Record<string, string>>, at: string): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).flatMap(([path, text]) => (path.startsWith(at) ? [[path.slice(at.length), text]] : [])));
