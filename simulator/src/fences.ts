import { rowsOf } from '@farlink/gateway/kit/document.ts';
import { ringOf } from '@farlink/gateway/kit/polygon-rule.ts';
import { isInsideRing, type Point } from '@farlink/gateway/kit/ring.ts';
import { type JsonObject, list, num, obj, parse, row, str } from '@farlink/gateway/protocol/shape.ts';
import { distanceKm, type LatLon } from './route.ts';
import type { Sections } from './sections.ts';

const latLon = { lat: num(-90, 90), lon: num(-180, 180) };
const fence = obj(
  { name: str(128) },
  { act: str(128), circle: obj({ ...latLon, r: num(0, 20_000_000) }), polygon: list(row(num(-90, 90), num(-180, 180)), 1000) },
);
const fenceSection = obj({}, { name: str(128), fences: list(fence, 100) });

/** Radius in metres of a fence that has a name and no area. Its centre is the position at the time of receipt. */
const around = 50_000;

/** Hysteresis in metres: a gateway leaves a circle only beyond this distance from its edge. */
const slack = 200;

interface Area {
  readonly name: string;
  readonly enter: string | undefined;
  readonly leave: string | undefined;
  /** Lower values come first. */
  readonly rank: number;
  /** Seconds that a crossing must last before it counts. */
  readonly dwell: { readonly enter: number; readonly leave: number };
  contains(here: LatLon, was: boolean): boolean;
}

const inRing =
  (ring: readonly Point[]) =>
  ({ lat, lon }: LatLon) =>
    ring.length > 2 && isInsideRing(ring, [lon, lat]);

/** Areas of section `fence`. */
const areasOf = (doc: JsonObject | undefined, here: LatLon): Area[] => {
  const parsed = parse(fenceSection, doc);
  const { name, fences } = 'value' in parsed ? parsed.value : {};
  const all = fences ?? (name === undefined ? [] : [{ name, circle: { lat: here.lat, lon: here.lon, r: around } }]);
  return all.map(({ name: known, act, circle, polygon = [] }) => {
    const ring = inRing(polygon.map(([lat, lon]): Point => [lon, lat]));
    const contains: Area['contains'] = circle ? (at, was) => distanceKm(circle, at) * 1000 <= circle.r + (was ? slack : 0) : ring;
    return { name: known, enter: act, leave: act, rank: 0, dwell: { enter: 0, leave: 0 }, contains };
  });
};

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Areas of the configuration that are enabled and valid now. */
const configured = (rows: readonly JsonObject[], now: number): Area[] =>
  rows
    .filter(({ enabled, valid_from = 0, valid_to }) => enabled !== false && Number(valid_from) <= now && now <= Number(valid_to ?? now))
    .map((area) => ({
      name: String(area.name),
      enter: textOf(area.on_enter),
      leave: textOf(area.on_leave),
      rank: Number(area.priority ?? 100),
      dwell: { enter: Number(area.enter_dwell ?? 0), leave: Number(area.leave_dwell ?? 0) },
      contains: inRing(ringOf(area.polygon)),
    }));

export interface Crossing {
  readonly fence: string;
  readonly in: boolean;
  readonly act?: string;
}

/** Areas of sections `fence` and `fence_area`. The gateway detects crossings itself, so fences work without a link. */
export class Fences {
  readonly #sections: Sections;
  readonly #inside = new Set<string>();
  /** Start time of each crossing whose dwell time is not over. */
  readonly #beyond = new Map<string, number>();
  #version = -1;
  #minute = -1;
  /** Some areas have a validity period. */
  #timed = false;
  #revision: string | undefined;
  #sectionAreas: readonly Area[] = [];
  #areas: readonly Area[] = [];

  constructor(sections: Sections) {
    this.#sections = sections;
  }

  get inside(): readonly string[] {
    return [...this.#inside];
  }

  /** Policies of the areas that contain the gateway, by priority. */
  get policies(): readonly string[] {
    const here = this.#areas.filter(({ name, enter }) => enter !== undefined && this.#inside.has(name));
    return here.toSorted((a, b) => a.rank - b.rank).map(({ enter = '' }) => enter);
  }

  #read(here: LatLon, now: number) {
    const minute = Math.floor(now / 60);
    if (this.#version === this.#sections.version && (this.#minute === minute || !this.#timed)) return;
    this.#version = this.#sections.version;
    this.#minute = minute;
    const section = this.#sections.get('fence');
    const revision = section && `${section.rev} ${section.hash}`;
    if (revision !== this.#revision) this.#sectionAreas = areasOf(section?.doc, here);
    this.#revision = revision;
    const rows = rowsOf(this.#sections.get('fence_area')?.doc ?? {});
    this.#timed = rows.some(({ valid_from, valid_to }) => valid_from !== undefined || valid_to !== undefined);
    const isOn = this.#sections.doc('fence_setting').enabled !== false;
    this.#areas = [...this.#sectionAreas, ...(isOn ? configured(rows, now) : [])];
    const names = new Set(this.#areas.map(({ name }) => name));
    for (const old of [...this.#inside, ...this.#beyond.keys()]) {
      if (names.has(old)) continue;
      this.#inside.delete(old);
      this.#beyond.delete(old);
    }
  }

  check(here: LatLon, now: number): Crossing[] {
    this.#read(here, now);
    return this.#areas.flatMap(({ name, enter, leave, dwell, contains }) => {
      const was = this.#inside.has(name);
      const is = contains(here, was);
      const since = is === was ? undefined : (this.#beyond.get(name) ?? now);
      const isOver = since !== undefined && now - since >= (is ? dwell.enter : dwell.leave);
      if (since === undefined || isOver) this.#beyond.delete(name);
      else this.#beyond.set(name, since);
      if (!isOver) return [];
      if (is) this.#inside.add(name);
      else this.#inside.delete(name);
      const act = is ? enter : leave;
      return [{ fence: name, in: is, ...(act !== undefined && { act }) }];
    });
  }
}
