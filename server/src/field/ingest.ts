import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../kit/deps.ts';
import { type Message, type StoreResult, storeMessages } from './store/store.ts';
import { makeWeeks } from './weeks.ts';

/** A refusal has a word for the protocol and a reason for people. */
export type Verdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly why: 'foreign' | 'topic' | 'body' | 'storage'; readonly reason: string };

export const accepted: Verdict = { ok: true };

interface Waiting {
  readonly message: Message | undefined;
  readonly verdict: Verdict;
  readonly settle: (verdict: Verdict) => void;
}

const [gatherMs, mostOfBatch, mostWaiting, longestPauseMs] = [10, 2000, 4000, 5000];

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '');

/** A check that has no name: there is no table for this week yet. */
const lacksWeek = (error: unknown) => codeOf(error) === '23514' && error instanceof Error && !('constraint' in error && error.constraint);

/** Values that PostgreSQL will not take, however often they are offered. */
const hopeless = (error: unknown) => /^(22|23)/.test(codeOf(error)) && !lacksWeek(error);

export interface Ingest {
  /** Settles, in the order of the calls, when what was said is on disk or has been refused. */
  add(message: Message | undefined, verdict: Verdict, settle: (verdict: Verdict) => void): void;
  /** Whether speakers should be silent for a while. */
  full(): boolean;
  /** Stores what waits and takes no more. */
  close(): Promise<void>;
}

type IngestDeps = Pick<Deps, 'pool' | 'config' | 'log' | 'clock'>;

/** Gathers for 10 ms or 2000 messages, stores one batch at a time: what a gateway says is stored in the order in which it said it. */
export const openIngest = (deps: IngestDeps, node: string, stored: (result: StoreResult) => void, drained: () => void): Ingest => {
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closing = false;

  const storeOnce = async (messages: readonly Message[]) => {
    const result = await storeMessages(deps.pool, deps.clock.now(), node, messages, deps.config.secretKey);
    if (result.wake.size > 0 || result.greet.size > 0) stored(result);
  };

  /** One bad message must not hold up its neighbours: the batch is halved until it stands alone. */
  const storeHalves = async (part: readonly Waiting[], refused: Map<Waiting, Verdict>): Promise<void> => {
    const messages = part.flatMap((w) => (w.message ? [w.message] : []));
    if (messages.length === 0) return;
    for (let tries = 0; ; tries++) {
      try {
        return await storeOnce(messages);
      } catch (error) {
        if (hopeless(error)) {
          if (part.length > 1) {
            const middle = Math.ceil(part.length / 2);
            await storeHalves(part.slice(0, middle), refused);
            return storeHalves(part.slice(middle), refused);
          }
          const [only] = part;
          if (only) refused.set(only, { ok: false, why: 'storage', reason: error instanceof Error ? error.message : String(error) });
          return;
        }
        // A database that is away comes back; nobody has been told that anything is stored. At the end it is left unsaid.
        if (closing && tries > 2) throw error;
        deps.log.warn({ err: error, messages: messages.length }, 'what gateways said could not be stored yet');
        if (lacksWeek(error)) await makeWeeks(deps.pool, deps.clock.now()).catch((err) => deps.log.warn({ err }, 'no table for this week'));
        await pause(Math.min(100 * 2 ** tries, longestPauseMs));
      }
    }
  };

  const run = async () => {
    while (waiting.length > 0) {
      const part = waiting.slice(0, mostOfBatch);
      waiting = waiting.slice(mostOfBatch);
      const refused = new Map<Waiting, Verdict>();
      try {
        await storeHalves(part, refused);
        for (const w of part) w.settle(refused.get(w) ?? w.verdict);
      } catch (error) {
        deps.log.error({ err: error, messages: part.length }, 'what gateways said was not stored; they will say it again');
      }
      if (waiting.length <= mostWaiting) drained();
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
    add: (message, verdict, settle) => {
      waiting.push({ message, verdict, settle });
      if (waiting.length >= mostOfBatch) void flush();
      else if (!running) timer ??= setTimeout(flush, gatherMs);
    },
    full: () => waiting.length > mostWaiting,
    close: async () => {
      closing = true;
      await flush();
    },
  };
};
