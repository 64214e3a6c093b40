import type { NewEvent } from './commit-items.ts';
import type { Observation } from './rebuild-timeline.ts';

export type ApState = 'up' | 'offline';

/** What was told of one access point; where its MAC was not, it goes by its name. */
export interface ApObservation extends Observation<ApState> {
  readonly device: number;
  readonly key: string;
  readonly name: string;
  readonly mac: string | null;
  readonly ip: string | null;
  readonly stations: number | null;
}

/** Something new is known of an access point, from a moment on. */
export interface ApChange extends Pick<ApObservation, 'device' | 'key' | 'name' | 'mac' | 'ip'> {
  readonly since: number;
  /** How it was seen; what was told as a change stands among the events. */
  readonly samples: readonly Omit<Observation<ApState>, 'told'>[];
  /** Some of it is an event. */
  readonly told: boolean;
  /** Its MAC was not known before. */
  readonly isNew: boolean;
}

export const apState = (s: unknown): ApState => (s === 1 ? 'up' : 'offline');
const textOf = (value: unknown) => (typeof value === 'string' ? value : null);

export const apOfEvent = ({ device, at, doc }: Pick<NewEvent, 'device' | 'at' | 'doc'>): ApObservation => {
  const [name, mac, state] = [textOf(doc.ap) ?? '', textOf(doc.mac)?.toLowerCase() ?? null, apState(doc.s)];
  return { device, key: mac ?? name, name, mac, ip: textOf(doc.ip), state, stations: state === 'up' ? null : 0, at, told: true };
};
