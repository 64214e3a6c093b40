import { endpoint, shape } from '../kit/endpoint.ts';
import type { Fields } from '../kit/field.ts';
import type { PreviewNote } from '../kit/page.ts';
import type { Values } from '../kit/values.ts';

/** Amounts of a sale for the chosen accounts. */
export interface Quote {
  readonly notes: readonly PreviewNote[];
  /** Fills fields of the form that the operator has not changed. */
  readonly values?: Values;
}

/** A read call with the same input as the sale. */
export const quoteOf = <const P extends string, F extends Fields>(path: P, access: readonly string[], input: F) =>
  endpoint({
    method: 'GET',
    path,
    kind: 'tree',
    module: 'user',
    access,
    summary: ['计算应收金额', 'Calculate the amount due'],
    input,
    shape: shape<Quote>(),
  });
