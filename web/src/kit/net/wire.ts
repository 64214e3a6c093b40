import type { Endpoint, Listing } from '@farlink/contract/kit/endpoint.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Lang } from '@farlink/contract/kit/text.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import type { Session } from './session.ts';

/** Properties of a call that the wire needs. */
export type Wire = Pick<Endpoint, 'method' | 'path' | 'kind'>;

export interface Download {
  readonly blob: Blob;
  readonly name: string;
}

const isBlank = (value: unknown) => value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The upper bound of a number without `between`. */
const isIdleEnd = (key: string, values: Values) => {
  const name = key.slice(0, -4);
  return key.endsWith('_end') && `cond_${name}` in values && (isBlank(values[name]) || values[`cond_${name}`] !== 'between');
};

/** spec §7: empty search values are omitted, and `cond_x` with them when x is empty. */
export const omitEmpty = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([key, value]) => !isBlank(value) && !(key.startsWith('cond_') && isBlank(values[key.slice(5)])) && !isIdleEnd(key, values),
    ),
  );

const textOf = (value: unknown) =>
  typeof value === 'boolean' ? (value ? '1' : '0') : isRecord(value) ? JSON.stringify(value) : String(value);

const formOf = (values: Values): FormData => {
  const form = new FormData();
  // Files come last, so that the server has read the language before it refuses a file.
  for (const [key, value] of Object.entries(values))
    if (!(value instanceof Blob) && value !== undefined) form.append(key, value === null ? '' : textOf(value));
  for (const [key, value] of Object.entries(values)) if (value instanceof Blob) form.append(key, value);
  return form;
};

/** spec §7: GET and DELETE send a query, others a body; `{id}` is part of the path; every call has the language and the user. */
export const requestOf = (e: Wire, input: Values, lang: Lang, session: Session | null): { url: string; init: RequestInit } => {
  const { filters, ...own } = input;
  const rest: Record<string, unknown> = { ...own, ...(isRecord(filters) ? filters : {}), lang };
  if (session) Object.assign(rest, { uid: session.uid, agent_id: session.agent_id });
  const path = e.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const headers: Record<string, string> = session ? { authorization: session.token } : {};
  const url = `/agt/v1/${path}`;
  if (e.method === 'GET' || e.method === 'DELETE') {
    const query = new URLSearchParams(Object.entries(omitEmpty(rest)).map(([key, value]) => [key, textOf(value)]));
    return { url: `${url}?${query}`, init: { method: e.method, headers } };
  }
  if (Object.values(rest).some((value) => value instanceof Blob)) return { url, init: { method: e.method, headers, body: formOf(rest) } };
  return { url, init: { method: e.method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(rest) } };
};

/** spec §8: msg, followed by the detail, msg or text of the data when present. */
export const toastText = (msg: string, data: unknown): string => {
  const more = isRecord(data) ? (data.detail ?? data.msg) : data;
  return typeof more === 'string' && more !== '' ? `${msg}, ${more}` : msg;
};

/** File name from the server, including non-ASCII names (RFC 5987). */
export const fileNameOf = (response: Pick<Response, 'headers'>): string => {
  const header = response.headers.get('content-disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  return encoded ? decodeURIComponent(encoded) : (/filename="?([^";]+)"?/i.exec(header)?.[1] ?? 'download');
};

/** The known values that the call accepts: path parameters, version and declared input. */
export const inputFor = (e: Endpoint, known: Values): Values => {
  const takes = (name: string) =>
    e.path.includes(`{${name}}`) || (e.versioned === true && name === 'version') || (e.input !== undefined && name in e.input);
  return Object.fromEntries(Object.entries(known).filter(([name, value]) => takes(name) && value !== undefined));
};

export const isRow = (value: unknown): value is AnyRow => isRecord(value) && typeof value.id === 'number';

const sumsOf = (sums: unknown) =>
  isRecord(sums) ? { sums: Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, String(sum)])) } : {};

const onRequestOf = ({ sums_on_request }: Values) => (sums_on_request === true ? { sums_on_request } : {});

const asOfOf = ({ as_of }: Values) => (typeof as_of === 'number' || as_of === null ? { as_of } : {});

/** spec §7: a list response has data.total and data.list. */
export const listingOf = (data: unknown): Listing<AnyRow> =>
  isRecord(data) && Array.isArray(data.list)
    ? {
        total: Number(data.total ?? 0),
        capped: data.capped === true,
        list: data.list.filter(isRow),
        ...sumsOf(data.sums),
        ...onRequestOf(data),
        ...asOfOf(data),
      }
    : { total: 0, list: [] };
