import type { Random } from './random.ts';
import type { Position } from './voyage.ts';

export type LinkName = 'lte' | 'low_orbit' | '6d' | 'l_band';

export interface LinkNow {
  readonly i: LinkName;
  /** 0 off, 1 on, 2 abnormal. */
  readonly s: 0 | 1 | 2;
  /** Round trip in ms, quality in percent. */
  readonly r?: number;
  readonly q?: number;
}

interface Radio {
  readonly i: LinkName;
  readonly rtt: number;
  readonly covers: (p: Position) => boolean;
  /** Chances, for a step of a minute, that it fades and that it comes back. */
  readonly fades: number;
  readonly returns: number;
}

/** Best first: what costs less and answers faster. */
const radios: readonly Radio[] = [
  { i: 'lte', rtt: 60, covers: (p) => p.toPort < 30, fades: 0.01, returns: 0.3 },
  { i: 'low_orbit', rtt: 45, covers: (p) => Math.abs(p.lat) < 57, fades: 0.02, returns: 0.5 },
  { i: '6d', rtt: 620, covers: (p) => Math.abs(p.lat) < 72, fades: 0.01, returns: 0.1 },
  { i: 'l_band', rtt: 900, covers: () => true, fades: 0.0005, returns: 0.5 },
];

/** Fading by a two-state chain for each radio, and an arbiter that changes only for what has lasted. */
export const radioOf = (random: Random) => {
  const fitted = radios.filter(({ i }) => i === '6d' || i === 'l_band' || random.chance(0.5));
  const faded = new Map<LinkName, boolean>();
  let current: LinkName | undefined;
  let lockedTo: LinkName | undefined;
  let better = 0;

  const step = (position: Position): { links: LinkNow[]; current: LinkName | undefined } => {
    const links = fitted.map((radio): LinkNow => {
      const was = faded.get(radio.i) ?? false;
      const is = was ? !random.chance(radio.returns) : random.chance(radio.fades);
      faded.set(radio.i, is);
      if (!radio.covers(position)) return { i: radio.i, s: 0 };
      if (is) return { i: radio.i, s: 2, q: random.int(0, 20) };
      return { i: radio.i, s: 1, r: Math.round(radio.rtt * random.between(0.95, 1.2)), q: random.int(70, 99) };
    });
    const usable = links.filter((l) => l.s === 1 && (lockedTo === undefined || l.i === lockedTo));
    const best = usable[0]?.i;
    if (!usable.some((l) => l.i === current)) {
      current = best;
      better = 0;
    } else if (best !== current && ++better >= 3) {
      current = best;
      better = 0;
    } else if (best === current) better = 0;
    return { links, current };
  };
  return {
    step,
    has: (name: string) => fitted.some((r) => r.i === name),
    lock: (name: LinkName | undefined) => {
      lockedTo = name;
    },
    rtt: () => radios.find((r) => r.i === current)?.rtt ?? 0,
  };
};

export const isLinkName = (name: unknown): name is LinkName => radios.some((r) => r.i === name);
