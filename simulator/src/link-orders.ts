import { lockEnd, lockOf, modeOf, ordersOf } from './config/fence-orders.ts';
import { barredLinks } from './config/reachable-links.ts';
import type { Fences } from './fences.ts';
import type { GatewayCore } from './gateway-core.ts';
import type { ChangeMode, LinkLock, LinkName, Radio } from './radio.ts';
import type { Sections } from './sections.ts';

const over = Number.NEGATIVE_INFINITY;

interface OrdersGateway extends Pick<GatewayCore, 'now' | 'event'> {
  readonly sections: Sections;
}

/** Combines the inputs of link selection: manual lock, configured lock and mode, and fences. */
export class LinkOrders {
  readonly #gateway: OrdersGateway;
  readonly #radio: Radio;
  readonly #fences: Fences;
  /** Links that the current fences disable. */
  #fenced: readonly LinkName[] = [];
  /** Lock and mode of the current fences. */
  #desired = '';
  /** End of the configured lock. */
  #lockUntil = Number.POSITIVE_INFINITY;
  /** The current lock comes from a fence. */
  #fenceLocks = false;

  constructor(gateway: OrdersGateway, radio: Radio, fences: Fences) {
    this.#gateway = gateway;
    this.#radio = radio;
    this.#fences = fences;
  }

  lock(lock: LinkLock, mode: ChangeMode = this.#radio.mode) {
    this.#radio.lock = lock;
    this.#radio.mode = mode;
    this.#fenceLocks = false;
    this.#gateway.event('lock', { lock, mode });
  }

  get #state(): string {
    const { barred, lock, mode } = this.#radio;
    return `${[...barred]} ${lock} ${mode}`;
  }

  /** Applies changed sections. Returns true if the links are affected. */
  reconfigure(changed: readonly string[]): boolean {
    const { sections } = this.#gateway;
    const was = this.#state;
    if (changed.includes('link_change_lock')) this.#lockUntil = lockEnd(sections.doc('link_change_lock'), this.#gateway.now());
    if (changed.includes('link_change_lock') || changed.includes('link_change_mode')) {
      const lock = this.#configuredLock() ?? this.#radio.lock;
      const mode = modeOf(sections.doc('link_change_mode').change_mode) ?? this.#radio.mode;
      if (lock !== this.#radio.lock || mode !== this.#radio.mode) this.lock(lock, mode);
    }
    this.#bar();
    return was !== this.#state;
  }

  #configuredLock(): LinkLock | undefined {
    return this.#gateway.now() < this.#lockUntil ? lockOf(this.#gateway.sections.doc('link_change_lock').lock_state) : 'unlocked';
  }

  /** Ends a configured lock after its time. */
  release() {
    if (this.#lockUntil === over || this.#gateway.now() < this.#lockUntil) return;
    this.#lockUntil = over;
    if (this.#radio.lock !== 'unlocked' && !this.#fenceLocks) this.lock('unlocked');
  }

  #bar() {
    this.#radio.barred = new Set([...barredLinks(this.#gateway.sections, this.#radio), ...this.#fenced]);
  }

  /** Applies the lock, mode and disabled links of the current fences when they change. A manual lock has priority. */
  obey() {
    const { sections } = this.#gateway;
    const { lock, mode, barred } = ordersOf(sections, this.#fences.policies);
    if (barred.join() !== this.#fenced.join()) {
      this.#fenced = barred;
      this.#bar();
    }
    const isOrder = lock !== undefined || mode !== undefined;
    const target = isOrder ? `${lock} ${mode}` : '';
    if (target === this.#desired) return;
    this.#desired = target;
    const mayLock = this.#fenceLocks || (isOrder && this.#radio.lock === 'unlocked');
    if (!mayLock) return;
    const toLock = lock ?? this.#configuredLock() ?? 'unlocked';
    const toMode = mode ?? modeOf(sections.doc('link_change_mode').change_mode) ?? 'default';
    if (toLock !== this.#radio.lock || toMode !== this.#radio.mode) this.lock(toLock, toMode);
    this.#fenceLocks = isOrder;
  }
}
