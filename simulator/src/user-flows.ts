import type { Random } from '@farlink/contract/kit/random.ts';
import { type Bytes, noBytes, plus } from './quota.ts';
import type { LinkName } from './radio.ts';
import type { Session } from './session.ts';

/** Traffic of an account over one link. */
export interface UserFlow extends Bytes {
  readonly acc: string;
  readonly link: LinkName;
  readonly via: Session['via'];
  /** Seconds online. */
  readonly s: number;
}

/** Traffic of accounts by link and authoriser. */
export class UserFlows {
  readonly #flows = new Map<string, UserFlow>();

  add({ acc, via }: Session, bytes: Bytes, seconds: number, link: LinkName) {
    const key = `${acc} ${link} ${via}`;
    const was = this.#flows.get(key);
    this.#flows.set(key, { acc, link, via, ...plus(was ?? noBytes, bytes), s: seconds + (was?.s ?? 0) });
  }

  /** Traffic since the last call. */
  take(): UserFlow[] {
    const flows = [...this.#flows.values()];
    this.#flows.clear();
    return flows;
  }
}

/** Traffic that a user wants. Few users stream video, most browse. */
export const demandOf = (random: Random, seconds: number): Bytes => {
  const d = Math.floor(seconds * (random.chance(0.15) ? random.between(50_000, 300_000) : random.between(500, 20_000)));
  return { d, u: Math.floor(d * random.between(0.05, 0.25)) };
};
