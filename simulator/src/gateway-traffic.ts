import type { ownServices } from '@farlink/gateway/protocol/stream.ts';
import type { LinkName } from './radio.ts';

export type OwnService = (typeof ownServices)[number];

export interface OwnFlow {
  readonly svc: OwnService;
  readonly link: LinkName;
  readonly u: number;
  readonly d: number;
}

/** Traffic of the gateway itself, by service and link. */
export class GatewayTraffic {
  readonly #open = new Map<OwnService, { u: number; d: number }>();
  #flows: OwnFlow[] = [];

  add(svc: OwnService, u: number, d: number) {
    const sum = this.#open.get(svc);
    if (!sum) this.#open.set(svc, { u, d });
    else {
      sum.u += u;
      sum.d += d;
    }
  }

  /** Traffic until now belongs to this link. Without a link it waits for the next one. */
  assign(link: LinkName | undefined) {
    if (link === undefined) return;
    for (const [svc, { u, d }] of this.#open) this.#flows.push({ svc, link, u, d });
    this.#open.clear();
  }

  /** Assigned traffic since the last call. */
  take(): OwnFlow[] {
    return this.#flows.splice(0);
  }
}
