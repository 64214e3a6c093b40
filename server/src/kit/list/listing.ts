import type { Listing } from '@farlink/contract/kit/endpoint.ts';
import type { Values } from '@farlink/contract/kit/values.ts';

export interface ListInput {
  readonly page: number;
  readonly limit: number;
  readonly orderby?: string | undefined;
  readonly count?: 'exact' | undefined;
  readonly sums?: 'later' | 'only' | undefined;
  readonly filters: Values;
}

/** How a list finds and counts its rows. */
export interface ListSource<Row> {
  /** Counting stops after this number of rows. */
  readonly bound: number;
  /** Rows of the page, and the number of all rows if it was counted on the way. */
  readonly page: () => Promise<{ readonly list: readonly Row[]; readonly total?: number | null | undefined }>;
  /** Number of rows; counting stops at `cap`. */
  readonly count: (cap: number | null) => Promise<number>;
}

export const offsetOf = ({ page, limit }: ListInput) => (page - 1) * limit;

/** Rows to count: one more than the bound shows that there are more. */
export const capOf = ({ count }: ListInput, bound: number) => (count === 'exact' ? null : bound + 1);

/** One page and the total. The last page implies the total, so the count of a short list is skipped. */
export const listingOf = async <Row>(input: ListInput, { bound, page, count }: ListSource<Row>): Promise<Listing<Row>> => {
  const offset = offsetOf(input);
  const cap = capOf(input, bound);
  const { list, total } = await page();
  const isLast = list.length < input.limit && (list.length > 0 || offset === 0);
  const n = total ?? (isLast ? offset + list.length : await count(cap));
  const capped = cap !== null && n >= cap;
  return { total: capped ? bound : n, ...(capped && { capped }), list };
};

/** A listing with the sums of all filtered rows, unless the reader wants them later, or only them. */
export const withSums = async <Row>(
  { sums }: ListInput,
  list: () => Promise<Listing<Row>>,
  sum: () => Promise<Readonly<Record<string, string>>>,
): Promise<Listing<Row>> => {
  if (sums === 'only') return { total: 0, list: [], sums: await sum() };
  const [listing, found] = await Promise.all([list(), sums === 'later' ? undefined : sum()]);
  return { ...listing, ...(found && { sums: found }) };
};
