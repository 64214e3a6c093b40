import type { NewEvent } from './commit-items.ts';
import type { Observation } from './rebuild-timeline.ts';

export type ApState = 'up' | 'offline';

/** Observation of one access point. Without a MAC its key is the name. */
export interface ApObservation extends Observation<ApState> {
  readonly device: number;
  readonly key: string;
  readonly name: string;
  readonly mac: string | null;
  readonly ip: string | null;
  readonly stations: number | null;
}

/** New observations of an access point, from `since` on. */
export interface ApChange extends Pick<ApObservation, 'device' | 'key' | 'name' | 'mac' | 'ip'> {
  readonly since: number;
  /** Samples; changes reported as events are read from the event table. */
  readonly samples: readonly Omit<Observation<ApState>, 'fromEvent'>[];
  /** At least one observation is an event. */
  readonly fromEvent: boolean;
  /** The MAC was unknown before. */
  readonly isNew: boolean;
}

export const apState = (s: unknown): ApState => (s === 1 ? 'up' : 'offline');
const textOf = (value: unknown) => (typeof value === 'string' ? value : null);

export const apOfEvent = ({ device, at, doc }: Pick<NewEvent, 'device' | 'at' | 'doc'>): ApObservation => {
  const name = textOf(doc.ap) ?? '';
  const mac = textOf(doc.mac)?.toLowerCase() ?? null;
  const state = apState(doc.s);
  return { device, key: mac ?? name, name, mac, ip: textOf(doc.ip), state, stations: state === 'up' ? null : 0, at, fromEvent: true };
};
