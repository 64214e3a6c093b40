import { lockEnd, lockOf, modeOf, ordersOf } from './config/fence-orders.ts';
import { barredLinks } from './config/reachable-links.ts';
import type { Fences } from './fences.ts';
import type { ChangeMode, GatewayInternals, LinkLock } from './gateway-internals.ts';
import type { LinkName, Radio } from './radio.ts';

const over = Number.NEGATIVE_INFINITY;

/** Who has a say in which link is used: a person's lock, the lock and mode of the configuration, and the fences it is in. */
export class LinkOrders {
  readonly #gateway: GatewayInternals;
  readonly #radio: Radio;
  readonly #fences: Fences;
  /** Links that the fences it is in take away. */
  #fenced: readonly LinkName[] = [];
  /** Lock and mode that they want. */
  #desired = '';
  /** When the lock of the configuration ends. */
  #lockUntil = Number.POSITIVE_INFINITY;
  /** It was a fence that locked it. */
  #fenceLocks = false;

  constructor(gateway: GatewayInternals, radio: Radio, fences: Fences) {
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

  /** These sections are others now. True: something is other for the links. */
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

  /** A lock of the configuration has its time; once that is over it is as if it said nothing. */
  release() {
    if (this.#lockUntil === over || this.#gateway.now() < this.#lockUntil) return;
    this.#lockUntil = over;
    if (this.#radio.lock !== 'unlocked' && !this.#fenceLocks) this.lock('unlocked');
  }

  #bar() {
    this.#radio.barred = new Set([...barredLinks(this.#gateway.sections, this.#radio), ...this.#fenced]);
  }

  /** What the fences that it is in want of its links, where that is something else than before. A lock by hand is above them. */
  obey() {
    const { sections } = this.#gateway;
    const { lock, mode, barred } = ordersOf(sections, this.#fences.policies);
    if (barred.join() !== this.#fenced.join()) {
      this.#fenced = barred;
      this.#bar();
    }
    const isOrder = lock !== undefined || mode !== undefined;
    const wanted = isOrder ? `${lock} ${mode}` : '';
    if (wanted === this.#desired) return;
    this.#desired = wanted;
    const mayLock = this.#fenceLocks || (isOrder && this.#radio.lock === 'unlocked');
    if (!mayLock) return;
    const toLock = lock ?? this.#configuredLock() ?? 'unlocked';
    const toMode = mode ?? modeOf(sections.doc('link_change_mode').change_mode) ?? 'default';
    if (toLock !== this.#radio.lock || toMode !== this.#radio.mode) this.lock(toLock, toMode);
    this.#fenceLocks = isOrder;
  }
}
