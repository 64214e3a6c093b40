import { isRecord } from '@farlink/contract/kit/values.ts';
/** A recording in asciicast version 2: a header, then one line per event. */
export interface RecordingEvent {
  readonly at: number;
  readonly kind: 'o' | 'r';
  readonly data: string;
}

export interface Recording {
  readonly cols: number;
  readonly rows: number;
  readonly events: readonly RecordingEvent[];
  /** Seconds. */
  readonly length: number;
}

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    // The last line of an incomplete recording.
    return undefined;
  }
};

const eventOf = (value: unknown): RecordingEvent[] => {
  if (!Array.isArray(value)) return [];
  const [at, kind, data]: unknown[] = value;
  return typeof at === 'number' && (kind === 'o' || kind === 'r') && typeof data === 'string' ? [{ at, kind, data }] : [];
};

const sizeIn = (head: unknown, name: string, otherwise: number) => {
  const value: unknown = isRecord(head) ? head[name] : undefined;
  return typeof value === 'number' && value >= 1 && value <= 1000 ? value : otherwise;
};

export const parseRecording = (text: string): Recording => {
  const [first = '', ...lines] = text.split('\n');
  const head = parse(first);
  const events = lines.flatMap((line) => eventOf(parse(line)));
  return { cols: sizeIn(head, 'width', 80), rows: sizeIn(head, 'height', 24), events, length: events.at(-1)?.at ?? 0 };
};

/** Shortens long pauses for the replay. */
export const withoutPauses = (recording: Recording, longest: number): Recording => {
  let was = 0;
  let at = 0;
  const events = recording.events.map((event) => {
    at += Math.min(event.at - was, longest);
    was = event.at;
    return { ...event, at };
  });
  return { ...recording, events, length: at };
};

export interface Screen {
  reset(): void;
  resize(cols: number, rows: number): void;
  write(text: string): void;
}

/** `100x30` */
const sizeOf = (data: string): readonly [number, number] | undefined => {
  const [, cols, rows] = /^(\d{1,3})x(\d{1,3})$/.exec(data) ?? [];
  return cols === undefined || rows === undefined ? undefined : [Number(cols), Number(rows)];
};

/** Shows a recording up to any time; seeking back starts from the beginning, because terminal output cannot be undone. */
export class Playback {
  readonly #recording: Recording;
  readonly #screen: Screen;
  #next = 0;
  position = 0;

  constructor(recording: Recording, screen: Screen) {
    this.#recording = recording;
    this.#screen = screen;
    this.#begin();
  }

  #begin() {
    this.#next = 0;
    this.#screen.reset();
    this.#screen.resize(this.#recording.cols, this.#recording.rows);
  }

  get over(): boolean {
    return this.position >= this.#recording.length;
  }

  seek(to: number) {
    if (to < this.position) this.#begin();
    this.position = Math.min(Math.max(0, to), this.#recording.length);
    let text = '';
    for (let event = this.#recording.events[this.#next]; event && event.at <= this.position; event = this.#recording.events[++this.#next]) {
      if (event.kind === 'o') {
        text += event.data;
        continue;
      }
      this.#screen.write(text);
      text = '';
      const size = sizeOf(event.data);
      if (size) this.#screen.resize(...size);
    }
    if (text !== '') this.#screen.write(text);
  }
}
