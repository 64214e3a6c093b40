import type { CallKind, Endpoint } from './endpoint.ts';
import type { Fields } from './field.ts';
import { filterFields } from './resource.ts';

/** Every call has them: the language, and who calls. */
export const commonParameters: readonly string[] = ['lang', 'uid', 'agent_id'];

/** spec §7: lists and lookups are requested by pages. */
const byKind: Partial<Record<CallKind, readonly string[]>> = {
  list: ['page', 'limit', 'orderby', 'count', 'sums'],
  export: ['orderby'],
  option: ['page', 'limit'],
};

/** Filter parameters of a list or an export. */
export const filtersOf = ({ kind, resource }: Endpoint): Fields =>
  resource && (kind === 'list' || kind === 'export') ? filterFields(resource) : {};

/** Whether the call refuses other names in its body. A versioned call takes the row that was read, with columns that it does not change. */
export const isExact = ({ versioned }: Endpoint) => !versioned;

const named = new WeakMap<Endpoint, ReadonlySet<string>>();

/** Names of all parameters of a call, except those of its path. */
export const parametersOf = (call: Endpoint): ReadonlySet<string> => {
  const known = named.get(call);
  if (known) return known;
  const names = new Set([
    ...commonParameters,
    ...(byKind[call.kind] ?? []),
    ...Object.keys(call.input ?? {}),
    ...(call.versioned ? ['version'] : []),
    ...Object.keys(filtersOf(call)),
  ]);
  named.set(call, names);
  return names;
};
