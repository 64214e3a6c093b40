import type { Field } from '@farlink/contract/kit/field.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { textWidth } from '../ui/format.ts';
import { t } from './lang.ts';

export interface Column {
  readonly name: string;
  readonly field: Field;
  readonly width: number;
}

const kindWidth: Partial<Record<Field['kind'], number>> = {
  time: 162,
  bool: 88,
  int: 88,
  money: 112,
  progress: 140,
  tags: 220,
  image: 84,
};

/** The sum of a column is longer than what it adds up. */
const sumWidth = 124;

/** As wide as the longest of its tags. */
const choiceWidth = ({ options = [] }: Field) => Math.min(200, Math.max(96, ...options.map((o) => textWidth(t(o.label)) + 44)));

const widthOf = (field: Field): number => {
  const head = textWidth(t(field.label)) * 1.12 + 22 + (field.sort ? 18 : 0) + (field.tips ? 20 : 0);
  const wanted = field.kind === 'choice' ? Math.max(field.width ?? 0, choiceWidth(field)) : (field.width ?? kindWidth[field.kind] ?? 114);
  return Math.round(Math.max(wanted, head));
};

export const columnsOf = (r: Resource): Column[] =>
  r.columns.flatMap((name) => {
    const field = r.fields[name];
    if (!field) return [];
    const width = widthOf(field);
    return [{ name, field, width: r.sums?.includes(name) ? Math.max(width, sumWidth) : width }];
  });

export const isRight = (field: Field) => ['int', 'money', 'bytes', 'speed', 'duration'].includes(field.kind);
