import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { singleText } from '@farlink/contract/kit/values.ts';
import { isObject, type Json, type JsonObject } from '../protocol/shape.ts';
import { ipNumber, isHostIn, isInside, isIpv4, subnetOf } from './address.ts';
import { isDocument, rowsOf } from './document.ts';
import type { GatewayFields } from './field.ts';
import type { DocOf, PageRule, Problem, RuledPage } from './problem.ts';

/** Rules about several fields. A missing field breaks no rule here; `required` handles it. */

/** The values of a form or of one row, and their path. */
export interface DocPosition {
  readonly values: JsonObject;
  readonly at: string;
  /** Row index from 0; 0 for a form. */
  readonly index: number;
}

export const positionsOf = (page: Pick<RuledPage, 'kind'>, doc: JsonObject): readonly DocPosition[] =>
  page.kind === 'list'
    ? rowsOf(doc).map((values, index) => ({ values, at: `rows[${index}].`, index }))
    : [{ values: doc, at: '', index: 0 }];

/** The rows of a nested list. */
export const linesOf = ({ values, at }: DocPosition, name: string): readonly DocPosition[] => {
  const lines = values[name];
  return Array.isArray(lines)
    ? lines.flatMap((line, index) => (isDocument(line) ? [{ values: line, at: `${at}${name}[${index}].`, index }] : []))
    : [];
};

/** Whether the row is enabled; disabled rows cause no conflict. */
export const isEnabled = ({ values }: DocPosition) => values.enabled !== false;

/** A rule that checks each form or row separately. */
export const eachPosition = (check: (position: DocPosition, fields: GatewayFields, docOf: DocOf) => readonly Problem[]): PageRule => ({
  test: (doc, docOf, page) => positionsOf(page, doc).flatMap((position) => check(position, page.fields, docOf)),
});

const labelOf = (fields: GatewayFields, name: string): Text => fields[name]?.label ?? [name, name];

/** Numbers, times and addresses as numbers; undefined: not comparable. */
export const numberOf = (value: Json | undefined): number | undefined => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && isIpv4(value) ? ipNumber(value) : undefined;
};

const greater: Text = ['应大于“{0}”', 'Must be greater than "{0}"'];
const later: Text = ['应晚于“{0}”', 'Must be later than "{0}"'];
const less: Text = ['应小于“{0}”', 'Must be less than "{0}"'];
const notLess: Text = ['不能小于“{0}”', 'Must not be less than "{0}"'];
const notGreater: Text = ['不能大于“{0}”', 'Must not be greater than "{0}"'];

const compare = (field: string, other: string, text: Text, isValid: (field: number, other: number) => boolean): PageRule =>
  eachPosition(({ values, at }, fields) => {
    const a = numberOf(values[field]);
    const b = numberOf(values[other]);
    return a === undefined || b === undefined || isValid(a, b) ? [] : [{ path: `${at}${field}`, text: fill(text, labelOf(fields, other)) }];
  });

/** The end must be greater than the start. */
export const ordered = (start: string, end: string): PageRule => compare(end, start, greater, (a, b) => a > b);
export const laterThan = (end: string, start: string): PageRule => compare(end, start, later, (a, b) => a > b);
/** The recovery threshold must be better than the failure threshold. */
export const betterAbove = (recover: string, fail: string): PageRule => compare(recover, fail, greater, (a, b) => a > b);
export const betterBelow = (recover: string, fail: string): PageRule => compare(recover, fail, less, (a, b) => a < b);
export const atLeast = (field: string, other: string): PageRule => compare(field, other, notLess, (a, b) => a >= b);
export const atMost = (field: string, other: string): PageRule => compare(field, other, notGreater, (a, b) => a <= b);

const differsText: Text = ['不能与“{0}”相同', 'Must differ from "{0}"'];
export const differs = (field: string, other: string): PageRule =>
  eachPosition(({ values, at }, fields) =>
    values[field] === undefined || values[field] !== values[other]
      ? []
      : [{ path: `${at}${field}`, text: fill(differsText, labelOf(fields, other)) }],
  );

const neededText: Text = ['请填写{0}', 'Please fill in {0}'];
/** Required while `when` holds; the field is always visible. */
export const requiredIf = (field: string, when: (values: JsonObject) => boolean): PageRule =>
  eachPosition(({ values, at }, fields) =>
    values[field] !== undefined || !when(values) ? [] : [{ path: `${at}${field}`, text: fill(neededText, labelOf(fields, field)) }],
  );

const countText: Text = ['不能大于“{0}”的数量', 'Must not be greater than the number of "{0}"'];
/** The number must not exceed the number of lines of a nested list. */
export const withinLineCount = (field: string, lines: string, when: (values: JsonObject) => boolean): PageRule =>
  eachPosition((position, fields) => {
    const { values, at } = position;
    const count = values[field];
    if (typeof count !== 'number' || !when(values) || values[lines] === undefined || count <= linesOf(position, lines).length) return [];
    return [{ path: `${at}${field}`, text: fill(countText, labelOf(fields, lines)) }];
  });

const duplicateText: Text = ['与第{0}行重复', 'Duplicate of line {0}'];

/** Problems of positions that repeat the key of an earlier one; an undefined key is ignored. */
export const duplicateProblems = (
  positions: readonly (DocPosition & { readonly path: string; readonly key: string | undefined })[],
): Problem[] => {
  const first = new Map<string, number>();
  return positions.flatMap(({ path, key, index }): Problem[] => {
    if (key === undefined) return [];
    const firstIndex = first.get(key);
    if (firstIndex === undefined) first.set(key, index);
    return firstIndex === undefined ? [] : [{ path, text: fill(duplicateText, firstIndex + 1) }];
  });
};

const keyOfFields = ({ values }: DocPosition, field: string, per: readonly string[]) =>
  values[field] === undefined ? undefined : JSON.stringify([values[field], ...per.map((name) => values[name] ?? null)]);

/** The field, or the field together with `per`, must be unique among the rows. */
export const unique = (field: string, ...per: readonly string[]): PageRule => ({
  test: (doc, _docOf, page) =>
    duplicateProblems(
      positionsOf(page, doc).map((position) => ({ ...position, path: `${position.at}${field}`, key: keyOfFields(position, field, per) })),
    ),
});

/** The field must be unique among the rows of one link; a row without a link applies to all links. */
export const uniqueOnLink = (field: string): PageRule => ({
  test: (doc, _docOf, page) => {
    const positions = positionsOf(page, doc).filter(({ values }) => values[field] !== undefined);
    const conflicts = ({ values: a }: DocPosition, { values: b }: DocPosition) =>
      a[field] === b[field] && (a.link === undefined || b.link === undefined || a.link === b.link);
    return positions.flatMap((position, i): Problem[] => {
      const earlier = positions.slice(0, i).find((one) => conflicts(one, position));
      return earlier ? [{ path: `${position.at}${field}`, text: fill(duplicateText, earlier.index + 1) }] : [];
    });
  },
});

/** The field must be unique within a nested list of one row. */
export const uniqueIn = (lines: string, field: string): PageRule =>
  eachPosition((position) =>
    duplicateProblems(linesOf(position, lines).map((line) => ({ ...line, path: `${line.at}${field}`, key: keyOfFields(line, field, []) }))),
  );

/** The field must be unique among the nested lists of all rows. */
export const uniqueAmong = (lines: string, field: string): PageRule => ({
  test: (doc, _docOf, page) =>
    duplicateProblems(
      positionsOf(page, doc).flatMap((position) =>
        linesOf(position, lines).map((line) => ({
          ...line,
          index: position.index,
          path: `${line.at}${field}`,
          key: keyOfFields(line, field, []),
        })),
      ),
    ),
});

const sumText: Text = ['同一链路合计不能超过{0}%', 'The total on one link cannot exceed {0} %'];
/**
 * The sum of enabled rows is limited for each value of `per`; a row without a value counts for all. The problem is reported at the row that
 * exceeds it.
 */
export const sumWithin = (field: string, per: string, limit: number): PageRule => ({
  test: (doc, _docOf, page) => {
    const on = positionsOf(page, doc).filter(isEnabled);
    const groups = new Set(on.map(({ values }) => values[per]));
    const over = [...groups].flatMap((group) => {
      let sum = 0;
      const exceeding = on.find(({ values }) => {
        if (values[per] !== undefined && values[per] !== group) return false;
        sum += numberOf(values[field]) ?? 0;
        return sum > limit;
      });
      return exceeding ? [`${exceeding.at}${field}`] : [];
    });
    return [...new Set(over)].map((path) => ({ path, text: fill(sumText, limit) }));
  },
});

const overlaps: Text = ['与第{0}行重叠', 'Overlaps line {0}'];
/** The ranges of enabled rows with the same value of `per` must not overlap. */
export const rangesApart = (start: string, end: string, per: string): PageRule => ({
  test: (doc, _docOf, page) => {
    const ranges = positionsOf(page, doc)
      .filter(isEnabled)
      .flatMap((position) => {
        const from = numberOf(position.values[start]);
        const to = numberOf(position.values[end]);
        return from === undefined || to === undefined ? [] : [{ ...position, from, to }];
      });
    return ranges.flatMap(({ values, at, from, to }, i): Problem[] => {
      const earlier = ranges.slice(0, i).find((one) => one.values[per] === values[per] && one.from <= to && from <= one.to);
      return earlier ? [{ path: `${at}${from < earlier.from ? end : start}`, text: fill(overlaps, earlier.index + 1) }] : [];
    });
  },
});

const outside: Text = ['不在“{0}”的网段内', 'Not in the subnet of "{0}"'];
const noHost: Text = ['是“{0}”网段的网络地址或广播地址', 'The network or broadcast address of "{0}"'];
/** The address must be that of another host in the subnet of a neighbour field. */
export const otherHostIn = (field: string, cidr: string): PageRule =>
  eachPosition(({ values, at }, fields) => {
    const ip = values[field];
    const subnet = subnetOf(singleText(values[cidr]) ?? '');
    if (typeof ip !== 'string' || !subnet) return [];
    const problem = (text: Text) => [{ path: `${at}${field}`, text: fill(text, labelOf(fields, cidr)) }];
    if (!isInside(ip, subnet)) return problem(outside);
    if (!isHostIn(ip, subnet)) return problem(noHost);
    return ipNumber(ip) === subnet.address ? problem(differsText) : [];
  });

const otherHash: Text = ['与所选文件的SHA-256不一致', 'Does not match the SHA-256 of the file'];
/** The given checksum must match the chosen file. */
export const hashOfFile = (field: string, file: string): PageRule =>
  eachPosition(({ values, at }) => {
    const hash = values[field];
    const chosen = values[file];
    return hash === undefined || !isObject(chosen) || chosen.sha256 === hash ? [] : [{ path: `${at}${field}`, text: otherHash }];
  });
