import { list, num, type Of, obj, parse, row, str } from '@farlink/gateway/protocol/shape.ts';
import type { Sections } from './sections.ts';
import { distanceKm, type Place } from './voyage.ts';

const place = { lat: num(-90, 90), lon: num(-180, 180) };
const fence = obj(
  { name: str(128) },
  { act: str(128), circle: obj({ ...place, r: num(0, 20_000_000) }), polygon: list(row(num(-90, 90), num(-180, 180)), 1000) },
);
const fenceSection = obj({}, { name: str(128), fences: list(fence, 100) });

/** Of a fence that has a name and no area: metres around where it was told. */
const around = 50_000;

/** Metres beyond the edge at which one who was inside is believed to have left. */
const slack = 200;

/** Counts how often a line to the east crosses the edge. */
const insidePolygon = (ring: readonly (readonly [number, number])[], { lat, lon }: Place): boolean => {
  let inside = false;
  for (const [i, [aLat, aLon]] of ring.entries()) {
    const [bLat, bLon] = ring[(i + 1) % ring.length] ?? [aLat, aLon];
    if (aLat > lat !== bLat > lat && lon < ((bLon - aLon) * (lat - aLat)) / (bLat - aLat) + aLon) inside = !inside;
  }
  return inside;
};

export interface Crossing {
  readonly fence: string;
  readonly in: boolean;
  readonly act?: string;
}

/** The areas of section `fence`: who is where is judged on the gateway, so that it works without a link. */
export class Fences {
  readonly #sections: Sections;
  readonly #inside = new Set<string>();
  #mark: string | undefined;
  #fences: readonly Of<typeof fence>[] = [];

  constructor(sections: Sections) {
    this.#sections = sections;
  }

  get inside(): readonly string[] {
    return [...this.#inside];
  }

  #read(here: Place) {
    const held = this.#sections.get('fence');
    const mark = held && `${held.rev} ${held.hash}`;
    if (mark === this.#mark) return;
    this.#mark = mark;
    const parsed = parse(fenceSection, held?.doc);
    const { name, fences } = 'value' in parsed ? parsed.value : {};
    this.#fences = fences ?? (name === undefined ? [] : [{ name, circle: { lat: here.lat, lon: here.lon, r: around } }]);
    for (const old of this.#inside) if (!this.#fences.some((f) => f.name === old)) this.#inside.delete(old);
  }

  /** Which edges were crossed on the way here. */
  check(here: Place): Crossing[] {
    this.#read(here);
    return this.#fences.flatMap(({ name, act, circle, polygon }) => {
      const was = this.#inside.has(name);
      const is = circle
        ? distanceKm(circle, here) * 1000 <= circle.r + (was ? slack : 0)
        : polygon !== undefined && polygon.length > 2 && insidePolygon(polygon, here);
      if (is === was) return [];
      if (is) this.#inside.add(name);
      else this.#inside.delete(name);
      return [{ fence: name, in: is, ...(act !== undefined && { act }) }];
    });
  }
}
