import type { BatchResult } from '@farlink/contract/kit/batch.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Action } from '@farlink/contract/kit/page.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { isObject } from '../net/wire.ts';
import type { BillLine } from './receipt-view.tsx';

const isOutcome = (value: unknown): value is BatchResult['list'][number] =>
  isObject(value) && typeof value.id === 'number' && typeof value.success === 'boolean' && typeof value.message === 'string';

/** The answer of a call on several rows, if it is one. */
export const batchOf = (reply: unknown): BatchResult | undefined =>
  isObject(reply) && typeof reply.success === 'number' && typeof reply.fail === 'number' && Array.isArray(reply.list)
    ? { success: reply.success, fail: reply.fail, list: reply.list.filter(isOutcome) }
    : undefined;

/** `:name` in an action's parameters is taken from the row, `:ids` from all the rows it is for. */
export const paramsFor = (action: Action, row: AnyRow | undefined): Values =>
  Object.fromEntries(
    Object.entries(action.params ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' && value.startsWith(':') ? row?.[value.slice(1)] : value,
    ]),
  );

/** All that an action knows to send about the rows it is for. */
export const knownOf = (action: Action, rows: readonly AnyRow[]): Values => {
  const [row, ...others] = rows;
  return {
    ...(others.length === 0 ? { id: row?.id, version: row?.version } : {}),
    ids: row ? rows.map((r) => r.id) : undefined,
    ...paramsFor(action, row && { ...row, ids: rows.map((r) => r.id) }),
  };
};

/** A row may be made of several rows of the list, which it names in `list_ids`. */
const listIdsOf = (rows: readonly AnyRow[], id: number): readonly number[] => {
  const ids = rows.find((row) => row.id === id)?.list_ids;
  return Array.isArray(ids) ? ids.map(Number) : [id];
};

/** The rows that need no more doing after an answer: those that succeeded, or what was deleted. */
export const settledIds = (e: Endpoint, rows: readonly AnyRow[], reply: unknown): readonly number[] => {
  const result = batchOf(reply);
  if (result) return result.list.filter((outcome) => outcome.success).flatMap((outcome) => listIdsOf(rows, outcome.id));
  return e.kind === 'delete' ? rows.map((row) => row.id) : [];
};

/** The bills that an answer tells of: one a charged row. */
export const billsOf = (reply: unknown, nameOf: (id: number) => string): readonly BillLine[] =>
  batchOf(reply)?.list.flatMap(({ id, bill_no, received }) =>
    bill_no === undefined ? [] : [{ bill_no, name: nameOf(id), received: received ?? '0.00' }],
  ) ?? [];
