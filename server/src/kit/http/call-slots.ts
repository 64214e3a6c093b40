import { fail } from '../fail.ts';

/** Session and VNO that a call counts for. Calls without a session count for their network. */
export interface Caller {
  readonly session: string;
  readonly vno: string;
}

export interface CallSlots {
  /** Runs the call when a slot is free; refuses with `busy` when too many wait or the wait is too long. */
  run<T>(caller: Caller, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly caller: Caller;
  readonly start: () => void;
}

/** Counts by name; a name at zero is removed. */
const counter = () => {
  const counts = new Map<string, number>();
  return {
    of: (name: string) => counts.get(name) ?? 0,
    add: (name: string, n: number) => {
      const count = (counts.get(name) ?? 0) + n;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    },
  };
};

const perSession = 8;
const waitingPerSession = 200;
const waitingInAll = 2000;
const longestWaitMs = 10_000;

/**
 * Limits concurrent calls per session, per VNO and in total; other calls wait in order. Some pool connections stay free for gateways, jobs
 * and sessions.
 */
export const openCallSlots = (connections: number): CallSlots => {
  const inAll = Math.max(1, Math.floor(connections * 0.7));
  const perVno = Math.max(1, Math.floor(connections * 0.5));
  const sessions = counter();
  const vnos = counter();
  const waitingOf = counter();
  const waiting = new Set<Waiting>();
  let working = 0;

  const hasSlot = ({ session, vno }: Caller) => working < inAll && sessions.of(session) < perSession && vnos.of(vno) < perVno;
  const occupy = ({ session, vno }: Caller, n: 1 | -1) => {
    working += n;
    sessions.add(session, n);
    vnos.add(vno, n);
  };
  const leaveQueue = (one: Waiting) => {
    waiting.delete(one);
    waitingOf.add(one.caller.session, -1);
  };
  const startNext = () => {
    for (const one of waiting) {
      if (working >= inAll) return;
      if (!hasSlot(one.caller)) continue;
      leaveQueue(one);
      occupy(one.caller, 1);
      one.start();
    }
  };
  const waitForSlot = (caller: Caller) =>
    new Promise<void>((start, refuse) => {
      if (waiting.size >= waitingInAll || waitingOf.of(caller.session) >= waitingPerSession) return refuse(fail('busy'));
      const one: Waiting = {
        caller,
        start: () => {
          clearTimeout(timer);
          start();
        },
      };
      const timer = setTimeout(() => {
        leaveQueue(one);
        refuse(fail('busy'));
      }, longestWaitMs);
      waiting.add(one);
      waitingOf.add(caller.session, 1);
    });

  return {
    run: async (caller, work) => {
      if (hasSlot(caller)) occupy(caller, 1);
      else await waitForSlot(caller);
      try {
        return await work();
      } finally {
        occupy(caller, -1);
        startNext();
      }
    },
  };
};
