import { setTimeout as pause } from 'node:timers/promises';
import { isMissingPartition, makePartitions } from '../../db/partitions.ts';
import type { Deps } from '../../kit/deps.ts';
import { noteInternalError } from '../../kit/http/internal-error.ts';
import { type Message, type StoreResult, storeMessages } from '../store/store.ts';
import type { Unreadable } from '../store/tx.ts';

/** A refusal has a code for the protocol and a reason for people. */
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
/** Limits in characters: single messages may be long, but not a whole batch. */
const [mostSizeOfBatch, mostSizeWaiting] = [2_000_000, 16_000_000];

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '');

/** Errors that PostgreSQL returns for these values on every retry. */
const isPermanent = (error: unknown) => /^(22|23|54)/.test(codeOf(error)) && !isMissingPartition(error);

/** An error in our code caused by a message. After some retries it is refused, so that it does not block other messages. */
const isOurs = (error: unknown) => error instanceof TypeError || error instanceof RangeError;

export interface Ingest {
  /** Completes in call order, when the message is stored or refused. */
  add(message: Message | undefined, result: IngestResult, complete: (result: IngestResult) => void, size?: number): void;
  /** Returns true if senders should be paused. */
  full(): boolean;
  /** Stores the queued messages and stops. */
  close(): Promise<void>;
}

type IngestDeps = Pick<Deps, 'pool' | 'config' | 'log' | 'clock'>;

/** Takes as many messages as fit into one commit, but at least one. */
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

const mostWarnings = 1000;

/** Logs each value once, so that a subscriber with many rows does not fill the log. */
const onceEach = (warn: (one: Unreadable) => void) => {
  const known = new Set<string>();
  return (one: Unreadable) => {
    const name = JSON.stringify(one);
    if (known.has(name) || known.size >= mostWarnings) return;
    known.add(name);
    warn(one);
  };
};

/** Stores batches. A failing batch is split until the bad message is isolated, so that it does not block the others. */
const openStorage = (deps: IngestDeps, node: string, stored: (result: StoreResult) => void, isClosing: () => boolean) => {
  const warnUnreadable = onceEach((one: Unreadable) => deps.log.warn(one, 'stored value unreadable'));
  const storeOnce = async (messages: readonly Message[]) => {
    const result = await storeMessages(deps.pool, deps.clock.now(), node, messages, deps.config.secretKey);
    for (const one of result.unreadable) warnUnreadable(one);
    if (result.deliverTo.size > 0 || result.ackHelloTo.size > 0) stored(result);
  };
  const addWeeks = () =>
    makePartitions(deps.pool, deps.clock.now()).then(
      () => true,
      (err) => {
        deps.log.warn({ err }, 'week partition creation failed');
        return false;
      },
    );
  const storeHalves = async (batch: readonly Waiting[], refused: Map<Waiting, IngestResult>, error: unknown) => {
    if (batch.length > 1) {
      const middle = Math.ceil(batch.length / 2);
      await store(batch.slice(0, middle), refused);
      return store(batch.slice(middle), refused);
    }
    const [only] = batch;
    if (only) refused.set(only, { ok: false, why: 'storage', reason: error instanceof Error ? error.message : String(error) });
  };
  const store = async (batch: readonly Waiting[], refused: Map<Waiting, IngestResult>): Promise<void> => {
    const messages = batch.flatMap((w) => (w.message ? [w.message] : []));
    if (messages.length === 0) return;
    let hasWeeks = false;
    for (let tries = 0; ; tries++) {
      try {
        return await storeOnce(messages);
      } catch (error) {
        // If all partitions for the accepted time range exist, a missing one will never be created.
        if (isPermanent(error) || (isMissingPartition(error) && hasWeeks) || (isOurs(error) && tries > 2))
          return storeHalves(batch, refused, error);
        // The database may recover, and nothing has been acknowledged yet. At shutdown the batch is given up.
        if (isClosing() && tries > 2) throw error;
        deps.log.warn({ err: error, messages: messages.length }, 'gateway message storage failed, retrying');
        if (isMissingPartition(error)) hasWeeks = await addWeeks();
        await pause(Math.min(100 * 2 ** tries, longestPauseMs));
      }
    }
  };
  return store;
};

/** Collects messages for 10 ms or up to 2000, then stores one batch at a time, so the order per gateway is kept. */
export const openIngest = (deps: IngestDeps, node: string, stored: (result: StoreResult) => void, drained: () => void): Ingest => {
  let waiting: Waiting[] = [];
  let waitingSize = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closing = false;

  const full = () => waiting.length > mostWaiting || waitingSize > mostSizeWaiting;

  const store = openStorage(deps, node, stored, () => closing);

  /** A failing callback must not block the other acknowledgements. */
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
        await store(batch, refused);
        for (const w of batch) completeSafely(w, refused.get(w) ?? w.result);
      } catch (error) {
        deps.log.error({ err: error, messages: batch.length }, 'gateway message storage abandoned');
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
