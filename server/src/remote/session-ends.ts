import { isTerminal, type RemoteEnd } from '@farlink/contract/device/remote.ts';
import type { Deps } from '../kit/deps.ts';
import type { KnownSessions } from './known-sessions.ts';
import type { Ended, RemoteSession } from './session.ts';
import * as store from './store.ts';
import { storeEnd } from './store-end.ts';
import { storeRecording } from './terminal/store-recording.ts';

/** Ends sessions and stores their end, counters and recording. */
export class SessionEnds {
  readonly #deps: Deps;
  readonly #sessions: KnownSessions;
  readonly #onChange: () => void;
  /** Sessions whose end is being stored. */
  readonly #storing = new Set<number>();
  readonly #pending = new Set<Promise<void>>();

  constructor(deps: Deps, sessions: KnownSessions, onChange: () => void) {
    this.#deps = deps;
    this.#sessions = sessions;
    this.#onChange = onChange;
  }

  /** Never rejects: an end that cannot be stored is stored by a later refresh. */
  end(session: RemoteSession, reason: RemoteEnd, message: string | null = null): Promise<void> {
    const work = this.finish(session, { reason, message })
      .catch((err) => this.#deps.log.warn({ err }, 'remote session end not stored'))
      .finally(() => this.#pending.delete(work));
    this.#pending.add(work);
    return work;
  }

  async finish(session: RemoteSession, ended: Ended) {
    if (!this.#markEnded(session, ended)) return;
    const { id } = session.facts;
    this.#storing.add(id);
    try {
      await storeEnd(this.#deps, id, ended, session);
    } finally {
      this.#storing.delete(id);
    }
    await this.#complete(session);
  }

  /** Completes sessions of this process that were ended elsewhere. */
  async finishEndedElsewhere(sessions: readonly RemoteSession[]) {
    if (sessions.length === 0) return;
    const ids = sessions.map((s) => s.facts.id);
    const ends = await store.endsOf(this.#deps.db, ids);
    for (const session of sessions) {
      const end = ends.find((e) => e.id === session.facts.id);
      if (this.#markEnded(session, { reason: end?.end_reason ?? 'closed', message: end?.message ?? null })) await this.#complete(session);
    }
  }

  /** Stores the end of a session that could not be stored at the time. */
  async storeAgain(session: RemoteSession) {
    const { id } = session.facts;
    if (session.ended && !this.#storing.has(id)) await storeEnd(this.#deps, id, session.ended, session);
  }

  /** Ends the sessions of processes that have died. */
  async endLost(now: number) {
    for (const { id, service } of await store.lostSessions(this.#deps.db, now)) {
      await storeEnd(this.#deps, id, { reason: 'lost', message: null });
      if (isTerminal(service)) await storeRecording(this.#deps, id);
    }
  }

  /** Resolves when all ends in progress are stored. */
  async stored() {
    await Promise.all(this.#pending);
  }

  #markEnded(session: RemoteSession, ended: Ended): boolean {
    if (!session.finish(ended)) return false;
    this.#sessions.moveToEnded(session);
    this.#onChange();
    return true;
  }

  async #complete(session: RemoteSession) {
    await session.runEndTasks();
    await store.saveCounts(this.#deps.db, session);
    if (isTerminal(session.facts.service)) await storeRecording(this.#deps, session.facts.id);
  }
}
