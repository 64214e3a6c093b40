import { describe, expect, test } from 'vitest';
import { readFaults } from './faults.ts';
import { Radio } from './radio.ts';
import { forkOf } from './random.ts';
import { Route } from './route.ts';
import { rainAt } from './weather.ts';

const day = 86_400;

/** Two weeks of one ship, minute by minute. */
const log = (sn: string, seed: number) => {
  const route = new Route(forkOf(sn, 'voyage', seed));
  const radio = new Radio(forkOf(sn, 'radio', seed));
  return Array.from({ length: (14 * day) / 60 }, (_, i) => {
    const position = route.at(i * 60);
    return { position, ...radio.step(position, rainAt(position.lat, position.lon, i * 60, seed)) };
  });
};

const fleet = Array.from({ length: 20 }, (_, i) => log(`SHIP${i}`, 1));

describe('the world', () => {
  test('is identical for the same ship and seed, and different otherwise', () => {
    expect(log('SHIP1', 1)).toEqual(log('SHIP1', 1));
    expect(log('SHIP1', 1)).not.toEqual(log('SHIP1', 2));
    expect(log('SHIP1', 1)).not.toEqual(log('SHIP2', 1));
  });

  test('has ships with realistic speeds and continuous positions', () => {
    const positions = fleet.map((days) => days.map((d) => d.position));
    const steps = positions.flatMap((all) => all.slice(1).map((p, i) => Math.abs(p.lat - (all[i]?.lat ?? p.lat))));
    const highest = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), 0);
    expect(highest(steps)).toBeLessThan(0.01);
    expect(highest(positions.flat().map((p) => p.sog))).toBeLessThan(20);
    expect(highest(positions.flat().map((p) => Math.abs(p.lat)))).toBeLessThan(90);
    expect(fleet.filter((days) => days.some((d) => d.position.sog > 0)).length).toBeGreaterThan(8);
  });

  test('has links that go up and down, and uses L-band only without a better link', () => {
    const all = fleet.flat();
    for (const link of ['6d', 'l_band', 'lte', 'low_orbit']) expect(all.some((d) => d.current === link)).toBe(true);
    const changes = fleet.map((days) => days.filter((d, i) => i > 0 && d.current !== days[i - 1]?.current).length);
    expect(Math.min(...changes)).toBeGreaterThan(0);
    const onLband = all.filter((d) => d.current === 'l_band');
    expect(onLband.length / all.length).toBeLessThan(0.1);
    expect(onLband.every((d) => d.links.every((l) => l.i === 'l_band' || l.s !== 1))).toBe(true);
  });
});

test('faults are parsed from one line, and an unknown fault is refused', () => {
  expect(readFaults('duplicate=0.1,skew=-60,deaf,reject=wifi+qos')).toMatchObject({
    duplicate: 0.1,
    skew: -60,
    deafClock: true,
    reject: new Set(['wifi', 'qos']),
  });
  expect(() => readFaults('rain=1')).toThrow('No such fault: rain');
});
