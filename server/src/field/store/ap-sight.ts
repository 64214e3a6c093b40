import type { FreshEvent } from './followers.ts';

export type ApState = 'up' | 'offline';

/** What was told of one access point; where its MAC was not, it goes by its name. */
export interface ApSight {
  readonly device: number;
  readonly key: string;
  readonly name: string;
  readonly mac: string | null;
  readonly ip: string | null;
  readonly state: ApState;
  readonly stations: number | null;
  readonly at: number;
  /** It was told as a change; else it only stood so. */
  readonly isTurn: boolean;
}

export const apState = (s: unknown): ApState => (s === 1 ? 'up' : 'offline');
const textOf = (value: unknown) => (typeof value === 'string' ? value : null);

export const apOfEvent = ({ device, at, doc }: Pick<FreshEvent, 'device' | 'at' | 'doc'>): ApSight => {
  const [name, mac, state] = [textOf(doc.ap) ?? '', textOf(doc.mac)?.toLowerCase() ?? null, apState(doc.s)];
  return { device, key: mac ?? name, name, mac, ip: textOf(doc.ip), state, stations: state === 'up' ? null : 0, at, isTurn: true };
};
