import type { Random } from '@farlink/contract/kit/random.ts';
import type { GatewaySnapshot } from './gateway-snapshot.ts';
import type { LogRow } from './row.ts';

/** Retention of the logs. */
const retentionS = 30 * 86_400;

interface Life {
  /** Slot length in seconds. The slot number and the seed decide its events, so repeated reads agree. */
  readonly every: number;
  readonly before: number;
  /** End of the generated log; later events come from the recorded ones. */
  readonly until?: number;
}

/** Generates log rows slot by slot, newest first. */
export function* life(
  snapshot: GatewaySnapshot,
  stream: string,
  { every, before, until = snapshot.now }: Life,
  make: (random: Random, time: number) => readonly LogRow[],
): Iterable<LogRow> {
  const end = Math.min(before, until + 1, snapshot.now + 1);
  const oldest = snapshot.now - retentionS;
  for (let slot = Math.floor((end - 1) / every); slot * every >= oldest; slot--) {
    const random = snapshot.gateway.fork(`${stream} ${slot}`);
    const rows = make(random, slot * every + random.int(0, every - 1));
    yield* rows.filter(({ time }) => time < end && time >= oldest).toSorted((a, b) => b.time - a.time);
  }
}

/** Merges sources that are each sorted newest first. */
export function* newestFirst(...sources: readonly Iterable<LogRow>[]): Iterable<LogRow> {
  const heads = sources.map((source) => {
    const rest = source[Symbol.iterator]();
    return { rest, head: rest.next() };
  });
  for (;;) {
    const open = heads.filter(({ head }) => head.done !== true);
    const [first, ...others] = open;
    if (!first) return;
    const next = others.reduce((best, one) => (timeOf(one.head) > timeOf(best.head) ? one : best), first);
    if (next.head.done === true) return;
    yield next.head.value;
    next.head = next.rest.next();
  }
}
const timeOf = (head: IteratorResult<LogRow>): number => (head.done === true ? Number.NEGATIVE_INFINITY : head.value.time);

export const earlier = (rows: readonly LogRow[], before: number): LogRow[] =>
  rows.filter(({ time }) => time < before).toSorted((a, b) => b.time - a.time);
