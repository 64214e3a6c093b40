import { fill, type Text } from '@farlink/contract/kit/text.ts';
import type { Json } from '../protocol/shape.ts';
import { eachPosition } from './page-rules.ts';
import type { PageRule } from './problem.ts';
import { crossingOf, type Point } from './ring.ts';

const isPoint = (raw: Json): raw is readonly [number, number] =>
  Array.isArray(raw) && raw.length === 2 && typeof raw[0] === 'number' && typeof raw[1] === 'number';

/** The corners of a polygon in a document. */
export const ringOf = (raw: Json | undefined): readonly Point[] => (Array.isArray(raw) ? raw.filter(isPoint) : []);

const crosses: Text = ['第{0}条边与第{1}条边相交', 'Edge {0} crosses edge {1}'];

/** The polygon must not cross itself. */
export const simpleRing = (field: string): PageRule =>
  eachPosition(({ values, at }) => {
    if (values[field] === undefined) return [];
    const found = crossingOf(ringOf(values[field]));
    return found ? [{ path: `${at}${field}`, text: fill(crosses, found[0] + 1, found[1] + 1) }] : [];
  });
