import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { isMissingPartition, makePartitions } from '../../db/partitions.ts';
import type { Unreadable } from '../../domain/audit/store/audit-row.ts';
import type { Deps } from '../../kit/deps.ts';
import { noteInternalError } from '../../kit/internal-error.ts';
import { Fenced } from '../store/fence.ts';
import { type Message, type StoreResult, storeMessages } from '../store/store.ts';

/** A refusal has a code for the protocol and a readable reason. */
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

const gatherMs = 10;
const maxBatch = 2000;
const maxWaiting = 4000;
const longestPauseMs = 5000;
/** Acknowledgements of one turn of the event loop. Those of a whole batch would block the other connections. */
const maxPerTurn = 256;
/** Limits in characters: single messages may be long, but not a whole batch. */
const maxBatchSize = 2_000_000;
const maxWaitingSize = 16_000_000;

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '');

/** Errors that PostgreSQL returns for these values on every retry. */
const isPermanent = (error: unknown) => /^(22|23|54)/.test(codeOf(error)) && !isMissingPartition(error);

/** An error in our code caused by a message. The message is isolated and refused without pauses, so that it does not delay others. */
const isInternalError = (error: unknown) => error instanceof TypeError || error instanceof RangeError;

export interface Ingest {
  /** Completes in call order, when the message is stored or refused. */
  add(message: Message | undefined, result: IngestResult, complete: (result: IngestResult) => void, size?: number): void;
  /** Returns true if senders should be paused. */
  full(): boolean;
  /** Number of messages that are not stored yet. */
  waiting(): number;
  /** Drops the queued messages without an acknowledgement, because another process has taken over. */
  dropAll(): void;
  /** Stores the queued messages and stops. */
  close(): Promise<void>;
}

type IngestDeps = Pick<Deps, 'pool' | 'config' | 'log' | 'clock'>;

export interface IngestOwner {
  readonly node: string;
  /** Number of the registration of this process. Undefined: not checked. */
  epoch(): number | undefined;
  stored(result: StoreResult): void;
  drained(): void;
  /** This process is no longer registered. True: it has registered again and may store. False: another process has taken over. */
  fenced(): Promise<boolean>;
}

/** Takes as many messages as fit into one commit, but at least one. */
const nextOf = (waiting: readonly Waiting[]): Waiting[] => {
  const batch: Waiting[] = [];
  let size = 0;
  for (const one of waiting) {
    size += one.size;
    if (batch.length === maxBatch || (batch.length > 0 && size > maxBatchSize)) break;
    batch.push(one);
  }
  return batch;
};

const maxWarnings = 1000;

/** Logs each value once, so that a subscriber with many rows does not fill the log. */
const onceEach = (warn: (one: Unreadable) => void) => {
  const logged = new Set<string>();
  return (one: Unreadable) => {
    const name = JSON.stringify(one);
    if (logged.has(name) || logged.size >= maxWarnings) return;
    logged.add(name);
    warn(one);
  };
};

interface IngestState {
  closing: boolean;
  /** Number of times that everything was dropped. A batch from before is not stored any more. */
  drops: number;
}

/** Stores batches. A failing batch is split until the bad message is isolated, so that it does not block the others. */
const openStorage = (deps: IngestDeps, { node, epoch, stored, fenced }: IngestOwner, state: IngestState) => {
  const warnUnreadable = onceEach((one: Unreadable) => deps.log.warn(one, 'stored value unreadable'));
  const storeOnce = async (messages: readonly Message[]) => {
    const result = await storeMessages(deps.pool, deps.clock.now(), node, messages, deps.config.secretKey, epoch());
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
  const storeHalves = async (batch: readonly Waiting[], refused: Map<Waiting, IngestResult>, drops: number, error: unknown) => {
    if (batch.length > 1) {
      const middle = Math.ceil(batch.length / 2);
      await store(batch.slice(0, middle), refused, drops);
      return store(batch.slice(middle), refused, drops);
    }
    if (isInternalError(error)) noteInternalError(deps.log, 'gateway', error);
    const [only] = batch;
    if (only) refused.set(only, { ok: false, why: 'storage', reason: error instanceof Error ? error.message : String(error) });
  };
  const store = async (batch: readonly Waiting[], refused: Map<Waiting, IngestResult>, drops: number): Promise<void> => {
    const messages = batch.flatMap((w) => (w.message ? [w.message] : []));
    if (messages.length === 0) return;
    let hasWeeks = false;
    for (let tries = 0; ; tries++) {
      if (state.drops !== drops) throw new Fenced('dropped');
      try {
        return await storeOnce(messages);
      } catch (error) {
        if (error instanceof Fenced && tries < 3 && (await fenced())) continue;
        if (error instanceof Fenced) throw error;
        // A single message is tried again, because the error may have had another cause.
        if (isInternalError(error) && batch.length === 1 && tries < 2) continue;
        // If all partitions for the accepted time range exist, a missing one will never be created.
        if (isInternalError(error) || isPermanent(error) || (isMissingPartition(error) && hasWeeks))
          return storeHalves(batch, refused, drops, error);
        // The database may recover, and nothing has been acknowledged yet. At shutdown the batch is given up.
        if (state.closing && tries > 2) throw error;
        deps.log.warn({ err: error, messages: messages.length }, 'gateway message storage failed, retrying');
        if (isMissingPartition(error)) hasWeeks = await addWeeks();
        await pause(Math.min(100 * 2 ** tries, longestPauseMs));
      }
    }
  };
  return store;
};

/** Collects messages for 10 ms or up to 2000, then stores one batch at a time, so the order per gateway is kept. */
export const openIngest = (deps: IngestDeps, owner: IngestOwner): Ingest => {
  let waiting: Waiting[] = [];
  let waitingSize = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const state: IngestState = { closing: false, drops: 0 };

  const full = () => waiting.length > maxWaiting || waitingSize > maxWaitingSize;

  const store = openStorage(deps, owner, state);

  /** A failing callback must not block the other acknowledgements. */
  const completeSafely = ({ complete }: Waiting, result: IngestResult) => {
    try {
      complete(result);
    } catch (error) {
      noteInternalError(deps.log, 'gateway', error);
    }
  };

  const dropAll = () => {
    waiting = [];
    waitingSize = 0;
    state.drops++;
  };

  const run = async () => {
    while (waiting.length > 0) {
      const batch = nextOf(waiting);
      waiting = waiting.slice(batch.length);
      for (const { size } of batch) waitingSize -= size;
      const refused = new Map<Waiting, IngestResult>();
      try {
        await store(batch, refused, state.drops);
        for (const [k, w] of batch.entries()) {
          if (k > 0 && k % maxPerTurn === 0) await nextTurn();
          completeSafely(w, refused.get(w) ?? w.result);
        }
      } catch (error) {
        deps.log.error({ err: error, messages: batch.length }, 'gateway message storage abandoned');
        if (error instanceof Fenced) dropAll();
      }
      if (!full()) owner.drained();
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
      if (waiting.length >= maxBatch) void flush();
      else if (!running) timer ??= setTimeout(flush, gatherMs);
    },
    full,
    waiting: () => waiting.length,
    dropAll,
    close: async () => {
      state.closing = true;
      await flush();
    },
  };
};
