import type { RemoteSession } from './session.ts';

/** Number of ended sessions kept, so that an open browser page can show the end reason. */
const maxEnded = 500;

/** Sessions whose tunnels this process holds, and those that ended recently. */
export class KnownSessions {
  readonly running = new Map<number, RemoteSession>();
  readonly ended = new Map<number, RemoteSession>();

  moveToEnded(session: RemoteSession) {
    const { id } = session.facts;
    this.running.delete(id);
    this.ended.set(id, session);
    const [oldest] = this.ended.keys();
    if (this.ended.size > maxEnded && oldest !== undefined) this.ended.delete(oldest);
  }

  find(fits: (session: RemoteSession) => boolean): RemoteSession | undefined {
    return [...this.running.values(), ...this.ended.values()].find(fits);
  }

  ports(): Set<number> {
    return new Set([...this.running.values()].flatMap((s) => (s.facts.port === null ? [] : [s.facts.port])));
  }
}
