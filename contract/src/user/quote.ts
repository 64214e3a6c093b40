import { endpoint, shape } from '../kit/endpoint.ts';
import type { Fields, Values } from '../kit/field.ts';
import type { PreviewNote } from '../kit/resource.ts';

/** What a sale would come to for the chosen accounts, and the amount to collect. */
export interface Quote {
  readonly notes: readonly PreviewNote[];
  /** Fills fields of the form that the operator has not changed. */
  readonly values?: Values;
}

/** A read with the input of the sale itself. */
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
