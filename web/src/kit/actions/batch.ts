import type { BatchResult } from '@farlink/contract/kit/batch.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Action } from '@farlink/contract/kit/page.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import type { BillLine } from './receipt-view.tsx';

const isOutcome = (value: unknown): value is BatchResult['list'][number] =>
  isRecord(value) && typeof value.id === 'number' && typeof value.success === 'boolean' && typeof value.message === 'string';

/** Parses the response of a batch call; undefined: not a batch. */
export const batchOf = (reply: unknown): BatchResult | undefined =>
  isRecord(reply) && typeof reply.success === 'number' && typeof reply.fail === 'number' && Array.isArray(reply.list)
    ? { success: reply.success, fail: reply.fail, list: reply.list.filter(isOutcome) }
    : undefined;

/** `:name` in the parameters of an action is taken from the row, `:ids` from all rows of the action. */
export const paramsFor = (action: Action, row: AnyRow | undefined): Values =>
  Object.fromEntries(
    Object.entries(action.params ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' && value.startsWith(':') ? row?.[value.slice(1)] : value,
    ]),
  );

/** All values that an action can send about its rows. */
export const knownOf = (action: Action, rows: readonly AnyRow[]): Values => {
  const [row, ...others] = rows;
  return {
    ...(others.length === 0 ? { id: row?.id, version: row?.version } : {}),
    ids: row ? rows.map((r) => r.id) : undefined,
    ...paramsFor(action, row && { ...row, ids: rows.map((r) => r.id) }),
  };
};

/** A row can combine several rows of the list; `list_ids` has their ids. */
const listIdsOf = (rows: readonly AnyRow[], id: number): readonly number[] => {
  const ids = rows.find((row) => row.id === id)?.list_ids;
  return Array.isArray(ids) ? ids.map(Number) : [id];
};

/** Rows to deselect after a response: successful or deleted ones. */
export const completedIds = (e: Endpoint, rows: readonly AnyRow[], reply: unknown): readonly number[] => {
  const result = batchOf(reply);
  if (result) return result.list.filter((outcome) => outcome.success).flatMap((outcome) => listIdsOf(rows, outcome.id));
  return e.kind === 'delete' ? rows.map((row) => row.id) : [];
};

/** The bills in a response: one per charged row. */
export const billsOf = (reply: unknown, nameOf: (id: number) => string): readonly BillLine[] =>
  batchOf(reply)?.list.flatMap(({ id, bill_no, received }) =>
    bill_no === undefined ? [] : [{ bill_no, name: nameOf(id), received: received ?? '0.00' }],
  ) ?? [];
