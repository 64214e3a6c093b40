import { isRecord } from '@farlink/contract/kit/values.ts';
/** A recording in asciicast version 2: a header, then one line per event. */
export interface CastMoment {
  readonly at: number;
  readonly kind: 'o' | 'r';
  readonly data: string;
}

export interface Cast {
  readonly cols: number;
  readonly rows: number;
  readonly moments: readonly CastMoment[];
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

const momentOf = (value: unknown): CastMoment[] => {
  if (!Array.isArray(value)) return [];
  const [at, kind, data]: unknown[] = value;
  return typeof at === 'number' && (kind === 'o' || kind === 'r') && typeof data === 'string' ? [{ at, kind, data }] : [];
};

const sizeIn = (head: unknown, name: string, otherwise: number) => {
  const value: unknown = isRecord(head) ? head[name] : undefined;
  return typeof value === 'number' && value >= 1 && value <= 1000 ? value : otherwise;
};

export const readCast = (text: string): Cast => {
  const [first = '', ...lines] = text.split('\n');
  const head = parse(first);
  const moments = lines.flatMap((line) => momentOf(parse(line)));
  return { cols: sizeIn(head, 'width', 80), rows: sizeIn(head, 'height', 24), moments, length: moments.at(-1)?.at ?? 0 };
};

/** Shortens long pauses for the replay. */
export const withoutPauses = (cast: Cast, longest: number): Cast => {
  let [was, at] = [0, 0];
  const moments = cast.moments.map((moment) => {
    at += Math.min(moment.at - was, longest);
    was = moment.at;
    return { ...moment, at };
  });
  return { ...cast, moments, length: at };
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
  readonly #cast: Cast;
  readonly #screen: Screen;
  #next = 0;
  position = 0;

  constructor(cast: Cast, screen: Screen) {
    this.#cast = cast;
    this.#screen = screen;
    this.#begin();
  }

  #begin() {
    this.#next = 0;
    this.#screen.reset();
    this.#screen.resize(this.#cast.cols, this.#cast.rows);
  }

  get over(): boolean {
    return this.position >= this.#cast.length;
  }

  seek(to: number) {
    if (to < this.position) this.#begin();
    this.position = Math.min(Math.max(0, to), this.#cast.length);
    let text = '';
    for (let moment = this.#cast.moments[this.#next]; moment && moment.at <= this.position; moment = this.#cast.moments[++this.#next]) {
      if (moment.kind === 'o') {
        text += moment.data;
        continue;
      }
      this.#screen.write(text);
      text = '';
      const size = sizeOf(moment.data);
      if (size) this.#screen.resize(...size);
    }
    if (text !== '') this.#screen.write(text);
  }
}
