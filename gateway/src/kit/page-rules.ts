import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { isObject, type Json, type JsonObject } from '../protocol/shape.ts';
import { ipNumber, isInside, isIpv4, subnetOf } from './address.ts';
import { isDocument, rowsOf } from './document.ts';
import type { GatewayFields } from './field.ts';
import type { DocOf, PageRule, Problem, RuledPage } from './problem.ts';

/** What one field alone cannot say. A field that is not there breaks no rule: whether it must be there is its own affair. */

/** The values of a form, or of one row of a list, and where they stand. */
export interface DocPosition {
  readonly values: JsonObject;
  readonly at: string;
  /** Of the row, from 0; 0 of a form. */
  readonly index: number;
}

export const positionsOf = (page: Pick<RuledPage, 'kind'>, doc: JsonObject): readonly DocPosition[] =>
  page.kind === 'list'
    ? rowsOf(doc).map((values, index) => ({ values, at: `rows[${index}].`, index }))
    : [{ values: doc, at: '', index: 0 }];

/** The rows of a list inside such a place. */
export const linesOf = ({ values, at }: DocPosition, name: string): readonly DocPosition[] => {
  const lines = values[name];
  return Array.isArray(lines)
    ? lines.flatMap((line, index) => (isDocument(line) ? [{ values: line, at: `${at}${name}[${index}].`, index }] : []))
    : [];
};

/** Whether it has any effect: what is switched off stands in nobody's way. */
export const isOn = ({ values }: DocPosition) => values.enabled !== false;

/** A rule about each place by itself. */
export const eachPosition = (check: (position: DocPosition, fields: GatewayFields, docOf: DocOf) => readonly Problem[]): PageRule => ({
  test: (doc, docOf, page) => positionsOf(page, doc).flatMap((position) => check(position, page.fields, docOf)),
});

const labelOf = (fields: GatewayFields, name: string): Text => fields[name]?.label ?? [name, name];

/** Numbers, times and addresses are compared as numbers; undefined: there is nothing to compare. */
const measure = (value: Json | undefined): number | undefined => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && isIpv4(value) ? ipNumber(value) : undefined;
};

const greater: Text = ['应大于“{0}”', 'Must be greater than "{0}"'];
const later: Text = ['应晚于“{0}”', 'Must be later than "{0}"'];
const less: Text = ['应小于“{0}”', 'Must be less than "{0}"'];
const least: Text = ['不能小于“{0}”', 'Must not be less than "{0}"'];
const most: Text = ['不能大于“{0}”', 'Must not be greater than "{0}"'];

const compare = (field: string, other: string, text: Text, holds: (field: number, other: number) => boolean): PageRule =>
  eachPosition(({ values, at }, fields) => {
    const [a, b] = [measure(values[field]), measure(values[other])];
    return a === undefined || b === undefined || holds(a, b) ? [] : [{ path: `${at}${field}`, text: fill(text, labelOf(fields, other)) }];
  });

/** The end comes after the start. */
export const ordered = (start: string, end: string): PageRule => compare(end, start, greater, (a, b) => a > b);
export const laterThan = (end: string, start: string): PageRule => compare(end, start, later, (a, b) => a > b);
/** The level at which something is well again is better than the one at which it is not. */
export const betterAbove = (recover: string, fail: string): PageRule => compare(recover, fail, greater, (a, b) => a > b);
export const betterBelow = (recover: string, fail: string): PageRule => compare(recover, fail, less, (a, b) => a < b);
export const atLeast = (field: string, other: string): PageRule => compare(field, other, least, (a, b) => a >= b);
export const atMost = (field: string, other: string): PageRule => compare(field, other, most, (a, b) => a <= b);

const differsText: Text = ['不能与“{0}”相同', 'Must differ from "{0}"'];
export const differs = (field: string, other: string): PageRule =>
  eachPosition(({ values, at }, fields) =>
    values[field] === undefined || values[field] !== values[other]
      ? []
      : [{ path: `${at}${field}`, text: fill(differsText, labelOf(fields, other)) }],
  );

const neededText: Text = ['请填写{0}', 'Please fill in {0}'];
/** Must be there while `when` holds; the field is offered either way. */
export const needed = (field: string, when: (values: JsonObject) => boolean): PageRule =>
  eachPosition(({ values, at }, fields) =>
    values[field] !== undefined || !when(values) ? [] : [{ path: `${at}${field}`, text: fill(neededText, labelOf(fields, field)) }],
  );

const countText: Text = ['不能大于“{0}”的数量', 'Must not be greater than the number of "{0}"'];
/** A number of lines cannot be more than there are. */
export const lineIn = (field: string, lines: string, when: (values: JsonObject) => boolean): PageRule =>
  eachPosition((position, fields) => {
    const { values, at } = position;
    const wanted = values[field];
    if (typeof wanted !== 'number' || !when(values) || values[lines] === undefined || wanted <= linesOf(position, lines).length) return [];
    return [{ path: `${at}${field}`, text: fill(countText, labelOf(fields, lines)) }];
  });

const sameAs: Text = ['与第{0}行重复', 'Duplicate of line {0}'];

/** Problems of places that have the mark of an earlier one; a place without a mark is like no other. */
export const repeated = (positions: readonly (DocPosition & { readonly path: string; readonly mark: string | undefined })[]): Problem[] => {
  const first = new Map<string, number>();
  return positions.flatMap(({ path, mark, index }): Problem[] => {
    if (mark === undefined) return [];
    const was = first.get(mark);
    if (was === undefined) first.set(mark, index);
    return was === undefined ? [] : [{ path, text: fill(sameAs, was + 1) }];
  });
};

const markOf = ({ values }: DocPosition, field: string, per: readonly string[]) =>
  values[field] === undefined ? undefined : JSON.stringify([values[field], ...per.map((name) => values[name] ?? null)]);

/** No two rows have the same, or the same together with `per`. */
export const unique = (field: string, ...per: readonly string[]): PageRule => ({
  test: (doc, _docOf, page) =>
    repeated(
      positionsOf(page, doc).map((position) => ({ ...position, path: `${position.at}${field}`, mark: markOf(position, field, per) })),
    ),
});

/** The same for rows of one link; a row without a link is on all. */
export const uniqueOnLink = (field: string): PageRule => ({
  test: (doc, _docOf, page) => {
    const positions = positionsOf(page, doc).filter(({ values }) => values[field] !== undefined);
    const meets = ({ values: a }: DocPosition, { values: b }: DocPosition) =>
      a[field] === b[field] && (a.link === undefined || b.link === undefined || a.link === b.link);
    return positions.flatMap((position, i): Problem[] => {
      const earlier = positions.slice(0, i).find((one) => meets(one, position));
      return earlier ? [{ path: `${position.at}${field}`, text: fill(sameAs, earlier.index + 1) }] : [];
    });
  },
});

/** No two lines inside one row have the same. */
export const uniqueIn = (lines: string, field: string): PageRule =>
  eachPosition((position) =>
    repeated(linesOf(position, lines).map((line) => ({ ...line, path: `${line.at}${field}`, mark: markOf(line, field, []) }))),
  );

/** A line of one row is in no other row, nor twice in its own. */
export const uniqueAmong = (lines: string, field: string): PageRule => ({
  test: (doc, _docOf, page) =>
    repeated(
      positionsOf(page, doc).flatMap((position) =>
        linesOf(position, lines).map((line) => ({
          ...line,
          index: position.index,
          path: `${line.at}${field}`,
          mark: markOf(line, field, []),
        })),
      ),
    ),
});

const sumText: Text = ['同一链路合计不能超过{0}%', 'The total on one link cannot exceed {0} %'];
/** Rows that are on add up to at most so much, for each value of `per`; a row without one counts for all. Told where it is passed. */
export const sumWithin = (field: string, per: string, limit: number): PageRule => ({
  test: (doc, _docOf, page) => {
    const on = positionsOf(page, doc).filter(isOn);
    const groups = new Set(on.map(({ values }) => values[per]));
    const over = [...groups].flatMap((group) => {
      let sum = 0;
      const passing = on.find(({ values }) => {
        if (values[per] !== undefined && values[per] !== group) return false;
        sum += measure(values[field]) ?? 0;
        return sum > limit;
      });
      return passing ? [`${passing.at}${field}`] : [];
    });
    return [...new Set(over)].map((path) => ({ path, text: fill(sumText, limit) }));
  },
});

const outside: Text = ['不在“{0}”的网段内', 'Not in the subnet of "{0}"'];
/** An address of the subnet that a neighbour names. */
export const insideOf = (field: string, cidr: string): PageRule =>
  eachPosition(({ values, at }, fields) => {
    const [ip, subnet] = [values[field], subnetOf(String(values[cidr] ?? ''))];
    if (typeof ip !== 'string' || !subnet || isInside(ip, subnet)) return [];
    return [{ path: `${at}${field}`, text: fill(outside, labelOf(fields, cidr)) }];
  });

const otherHash: Text = ['与所选文件的SHA-256不一致', 'Does not match the SHA-256 of the file'];
/** The checksum that somebody was given is that of the file that somebody chose. */
export const hashOfFile = (field: string, file: string): PageRule =>
  eachPosition(({ values, at }) => {
    const [hash, chosen] = [values[field], values[file]];
    return hash === undefined || !isObject(chosen) || chosen.sha256 === hash ? [] : [{ path: `${at}${field}`, text: otherHash }];
  });
