import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../../kit/deps.ts';
import { noteInternalError } from '../../kit/http/internal-error.ts';
import { type Message, type StoreResult, storeMessages } from '../store/store.ts';
import { makeWeeks } from '../weeks.ts';

/** A refusal has a word for the protocol and a reason for people. */
export type IngestResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly why: 'foreign' | 'topic' | 'body' | 'storage'; readonly reason: string };

export const accepted: IngestResult = { ok: true };

interface Waiting {
  readonly message: Message | undefined;
  readonly result: IngestResult;
  readonly complete: (result: IngestResult) => void;
  readonly size: number;
}

const [gatherMs, mostOfBatch, mostWaiting, longestPauseMs] = [10, 2000, 4000, 5000];
/** The same in characters: a few thousand messages may be as long as they like, but not all of them. */
const [mostSizeOfBatch, mostSizeWaiting] = [2_000_000, 16_000_000];

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '');

/** A check that has no name: there is no table for this week yet. */
const lacksWeek = (error: unknown) => codeOf(error) === '23514' && error instanceof Error && !('constraint' in error && error.constraint);

/** Values that PostgreSQL will not take, however often they are offered. */
const isPermanent = (error: unknown) => /^(22|23|54)/.test(codeOf(error)) && !lacksWeek(error);

/** Our own fault with what somebody said. If it stays, everybody else must not wait for its remedy. */
const isOurs = (error: unknown) => error instanceof TypeError || error instanceof RangeError;

export interface Ingest {
  /** Settles, in the order of the calls, when what was said is on disk or has been refused. */
  add(message: Message | undefined, result: IngestResult, complete: (result: IngestResult) => void, size?: number): void;
  /** Whether speakers should be silent for a while. */
  full(): boolean;
  /** Stores what waits and takes no more. */
  close(): Promise<void>;
}

type IngestDeps = Pick<Deps, 'pool' | 'config' | 'log' | 'clock'>;

/** As many from the front as one commit carries, and always one. */
const nextOf = (waiting: readonly Waiting[]): Waiting[] => {
  const batch: Waiting[] = [];
  let size = 0;
  for (const one of waiting) {
    size += one.size;
    if (batch.length === mostOfBatch || (batch.length > 0 && size > mostSizeOfBatch)) break;
    batch.push(one);
  }
  return batch;
};

/** Gathers for 10 ms or 2000 messages, stores one batch at a time: what a gateway says is stored in the order in which it said it. */
export const openIngest = (deps: IngestDeps, node: string, stored: (result: StoreResult) => void, drained: () => void): Ingest => {
  let waiting: Waiting[] = [];
  let waitingSize = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closing = false;

  const full = () => waiting.length > mostWaiting || waitingSize > mostSizeWaiting;

  const storeOnce = async (messages: readonly Message[]) => {
    const result = await storeMessages(deps.pool, deps.clock.now(), node, messages, deps.config.secretKey);
    if (result.deliverTo.size > 0 || result.ackHelloTo.size > 0) stored(result);
  };

  /** One bad message must not hold up its neighbours: the batch is halved until it stands alone. */
  const storeHalves = async (batch: readonly Waiting[], refused: Map<Waiting, IngestResult>): Promise<void> => {
    const messages = batch.flatMap((w) => (w.message ? [w.message] : []));
    if (messages.length === 0) return;
    let hasWeeks = false;
    for (let tries = 0; ; tries++) {
      try {
        return await storeOnce(messages);
      } catch (error) {
        // Where every week is there that may be told of, one that is missing never comes.
        if (isPermanent(error) || (lacksWeek(error) && hasWeeks) || (isOurs(error) && tries > 2)) {
          if (batch.length > 1) {
            const middle = Math.ceil(batch.length / 2);
            await storeHalves(batch.slice(0, middle), refused);
            return storeHalves(batch.slice(middle), refused);
          }
          const [only] = batch;
          if (only) refused.set(only, { ok: false, why: 'storage', reason: error instanceof Error ? error.message : String(error) });
          return;
        }
        // A database that is away comes back; nobody has been told that anything is stored. At the end it is left unsaid.
        if (closing && tries > 2) throw error;
        deps.log.warn({ err: error, messages: messages.length }, 'what gateways said could not be stored yet');
        if (lacksWeek(error))
          hasWeeks = await makeWeeks(deps.pool, deps.clock.now()).then(
            () => true,
            (err) => {
              deps.log.warn({ err }, 'no table for this week');
              return false;
            },
          );
        await pause(Math.min(100 * 2 ** tries, longestPauseMs));
      }
    }
  };

  /** A failing receiver must not keep the others from their acknowledgement. */
  const completeSafely = ({ complete }: Waiting, result: IngestResult) => {
    try {
      complete(result);
    } catch (error) {
      noteInternalError(deps.log, 'gateway', error);
    }
  };

  const run = async () => {
    while (waiting.length > 0) {
      const batch = nextOf(waiting);
      waiting = waiting.slice(batch.length);
      for (const { size } of batch) waitingSize -= size;
      const refused = new Map<Waiting, IngestResult>();
      try {
        await storeHalves(batch, refused);
        for (const w of batch) completeSafely(w, refused.get(w) ?? w.result);
      } catch (error) {
        deps.log.error({ err: error, messages: batch.length }, 'what gateways said was not stored; they will say it again');
      }
      if (!full()) drained();
    }
    running = undefined;
  };

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    running ??= run();
    return running;
  };

  return {
    add: (message, result, complete, size = 0) => {
      waiting.push({ message, result, complete, size });
      waitingSize += size;
      if (waiting.length >= mostOfBatch) void flush();
      else if (!running) timer ??= setTimeout(flush, gatherMs);
    },
    full,
    close: async () => {
      closing = true;
      await flush();
    },
  };
};
