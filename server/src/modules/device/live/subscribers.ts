import type { LiveKind } from '@farlink/contract/device/live.ts';
import type { LiveClient } from './client.ts';

const none: ReadonlySet<LiveClient> = new Set();

/** Index of clients by device and kind, so a change costs only as much as its subscribers. */
export class Subscribers {
  readonly #all = new Set<LiveClient>();
  readonly #byId = new Map<number, Set<LiveClient>>();
  readonly #byKind = new Map<LiveKind, Set<LiveClient>>();

  get count() {
    return this.#all.size;
  }

  add(client: LiveClient) {
    this.#all.add(client);
    const put = <K>(map: Map<K, Set<LiveClient>>, key: K) => map.set(key, (map.get(key) ?? new Set()).add(client));
    for (const id of client.watching.ids) put(this.#byId, id);
    for (const kind of client.watching.any) put(this.#byKind, kind);
  }

  remove(client: LiveClient) {
    this.#all.delete(client);
    const drop = <K>(map: Map<K, Set<LiveClient>>, key: K) => {
      const set = map.get(key);
      set?.delete(client);
      if (set?.size === 0) map.delete(key);
    };
    for (const id of client.watching.ids) drop(this.#byId, id);
    for (const kind of client.watching.any) drop(this.#byKind, kind);
  }

  all = () => [...this.#all];
  ids = () => this.#byId.keys();
  of = (id: number): ReadonlySet<LiveClient> => this.#byId.get(id) ?? none;
  ofKind = (kind: LiveKind): ReadonlySet<LiveClient> => this.#byKind.get(kind) ?? none;
  areFor = (id: number, what: ReadonlySet<LiveKind>) => this.#byId.has(id) || [...what].some((kind) => this.#byKind.has(kind));
}
