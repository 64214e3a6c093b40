import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { PathErrors } from './validate-document.ts';

/** The errors of one row, by their path in it. */
export const errorsOf = (errors: PathErrors, at: number): PathErrors => {
  const start = `rows[${at}].`;
  return Object.fromEntries(
    Object.entries(errors).flatMap(([path, text]) => (path.startsWith(start) ? [[path.slice(start.length), text]] : [])),
  );
};

/** The rows with an error, each with one of its texts. */
export const faultyRows = (errors: PathErrors, rows: readonly JsonObject[]): ReadonlyMap<JsonObject, string> =>
  new Map(
    Object.entries(errors).flatMap(([path, text]) => {
      const row = rows[Number(/^rows\[(\d+)\]/.exec(path)?.[1] ?? -1)];
      return row ? [[row, text]] : [];
    }),
  );
