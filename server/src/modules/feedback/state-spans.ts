import type { StateSpan } from '@farlink/contract/feedback/feedback-context.ts';

interface Change<State extends string> {
  readonly at: number;
  /** Null: unknown from here on. */
  readonly state: State | null;
}

/** States between changes, oldest first, cut to the period. Equal neighbours are one span. */
export const spansOf = <State extends string>(changes: readonly Change<State>[], start: number, end: number): StateSpan<State>[] => {
  const spans: StateSpan<State>[] = [];
  for (const [i, { at, state }] of changes.entries()) {
    const from = Math.max(at, start);
    const to = Math.min(changes[i + 1]?.at ?? end, end);
    if (state === null || to <= from) continue;
    const last = spans.at(-1);
    if (last?.state === state && last.end === from) spans[spans.length - 1] = { ...last, end: to };
    else spans.push({ start: from, end: to, state });
  }
  return spans;
};
