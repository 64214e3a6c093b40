import { check, isEmpty } from '@farlink/contract/kit/check.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import { type Field, type Fields, int, type Kind } from '@farlink/contract/kit/field.ts';
import { filterFields, isNumeric, type Resource } from '@farlink/contract/kit/resource.ts';
import type { Env } from '@farlink/contract/kit/rule.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { limits } from '@farlink/contract/limits.ts';
import { rules } from '@farlink/contract/rules.ts';
import { fail } from '../fail.ts';

const version = int(['版本', 'Version'], { required: true });
const positive = rules.number_range(1, Number.MAX_SAFE_INTEGER);
const paging: Fields = {
  page: int(['页码', 'Page'], { rules: [rules.number_range(1, 10_000_000)] }),
  limit: int(['每页条数', 'Page size'], { rules: [rules.number_range(1, limits.listLimit)] }),
};
const id = int(['ID', 'ID'], { required: true, rules: [positive] });

/** A time filter must run forward and must not exceed the longest range of its list. */
const rangeErrors = (resource: Resource, filters: Values, env: Env): Record<string, Text> => {
  const errors: Record<string, Text> = {};
  for (const key of resource.filters) {
    const field = resource.fields[key];
    if (field?.kind !== 'time' && field?.kind !== 'date') continue;
    const tests = [rules.start_before_end(`${key}_start`), ...(field.months ? [rules.query_range(`${key}_start`, field.months)] : [])];
    const failed = tests.find((rule) => !rule.test(filters[`${key}_end`], filters, env));
    if (failed && typeof failed.text !== 'function') errors[`${key}_end`] = failed.text;
  }
  return errors;
};

/** End of the year 9999, the latest valid time. */
const lastSecond = 253_402_300_799;
/** Same as the size of an option list (decisions §3); PostgreSQL fails on much longer statements. */
const maxIds = 10_000;
const unfit: Text = ['格式不正确', 'Not a valid value'];

const isUnfit = (kind: Kind, value: unknown) =>
  ((kind === 'time' || kind === 'date') && Math.abs(Number(value ?? 0)) > lastSecond) ||
  ((kind === 'options' || kind === 'tags' || kind === 'protocols') && Array.isArray(value) && value.length > maxIds);

const boundErrors = (fields: Fields, values: Values): Record<string, Text> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, { kind }]) => (isUnfit(kind, values[name]) ? [[name, unfit] as const] : [])));

const knownFilters = new WeakMap<Resource, Fields>();
const filtersOf = (resource: Resource): Fields => {
  const known = knownFilters.get(resource);
  if (known) return known;
  const fields = filterFields(resource);
  knownFilters.set(resource, fields);
  return fields;
};

/** Drops the operator of an empty number, and the upper end of any operator except `between`. */
const withoutIdle = (resource: Resource, raw: Values): Values => {
  const cleaned: Record<string, unknown> = { ...raw };
  for (const key of resource.filters.filter((name) => isNumeric(resource.fields[name]?.kind))) {
    if (isEmpty(raw[key])) delete cleaned[`cond_${key}`];
    if (cleaned[`cond_${key}`] !== 'between') delete cleaned[`${key}_end`];
  }
  return cleaned;
};

/** A list has up to a hundred filter parameters and a call few of them, so the others are not checked. */
const isNeeded = ({ required, requiredWhen }: Field) => required === true || requiredWhen !== undefined;

const readFilters = (resource: Resource, raw: Values, env: Env) => {
  // spec §7: an operator without its value is dropped, empty values are omitted.
  const cleaned = withoutIdle(resource, raw);
  const given = Object.entries(filtersOf(resource)).filter(([name, field]) => !isEmpty(cleaned[name]) || isNeeded(field));
  const fields = Object.fromEntries(given);
  const { values, errors } = check(fields, cleaned, env);
  const filters = Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)));
  return { filters, errors: { ...errors, ...rangeErrors(resource, filters, env), ...boundErrors(fields, filters) } };
};

/** Reads and validates the input of a call by its declaration. All errors are reported together, by field. */
export const readInput = (call: Endpoint, path: Values, raw: Values, env: Env): Record<string, unknown> => {
  const ids = check(Object.fromEntries(Object.keys(path).map((name) => [name, id])), path, env);
  if (Object.keys(ids.errors).length > 0) throw fail('not_found');
  const body = check({ ...call.input, ...(call.versioned && { version }) }, raw, env, call.partial === true);
  if (call.versioned && isEmpty(raw.version)) body.errors.version = ['缺少版本号', 'The version is missing'];
  const errors = { ...body.errors, ...boundErrors(call.input ?? {}, body.values) };
  const out = { ...body.values, ...ids.values };
  if (call.resource && (call.kind === 'list' || call.kind === 'export')) {
    const { filters, errors: filterErrors } = readFilters(call.resource, raw, env);
    const pages = check(paging, raw, env);
    Object.assign(errors, filterErrors, pages.errors);
    Object.assign(out, {
      filters,
      page: pages.values.page ?? limits.page,
      limit: pages.values.limit ?? limits.limit,
      orderby: isEmpty(raw.orderby) ? undefined : String(raw.orderby),
      count: raw.count === 'exact' ? 'exact' : undefined,
      sums: raw.sums === 'later' || raw.sums === 'only' ? raw.sums : undefined,
    });
  }
  if (Object.keys(errors).length > 0) throw fail('bad_input', { fields: errors });
  return out;
};
