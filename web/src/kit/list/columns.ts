import type { Field } from '@farlink/contract/kit/field.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { textWidth } from '../../ui/format.ts';
import { t } from '../chrome/lang.ts';

export interface Column {
  readonly name: string;
  readonly field: Field;
  readonly width: number;
  /** The header stays readable, and a number or time is never clipped. */
  readonly minWidth: number;
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

/** The sum of a column is longer than its values. */
const sumWidth = 124;

/** Width of the longest tag. */
const choiceWidth = ({ options = [] }: Field) => Math.min(200, Math.max(96, ...options.map((o) => textWidth(t(o.label)) + 44)));

const headWidth = (field: Field) => textWidth(t(field.label)) * 1.12 + 22 + (field.sort ? 18 : 0) + (field.tips ? 20 : 0);

/** Minimum header width with two lines, broken between words; Chinese breaks anywhere. */
const minHeadWidth = (field: Field) => {
  const label = t(field.label);
  const words = [...label].some((c) => c > '\u2e7f') ? [] : label.split(' ');
  const fullWidth = textWidth(label);
  const lines = words.map((_, i) => Math.max(textWidth(words.slice(0, i).join(' ')), textWidth(words.slice(i).join(' '))));
  const width = words.length > 0 ? Math.min(...lines) : fullWidth / 2 + 7;
  return width * 1.12 + 22 + (field.sort ? 18 : 0) + (field.tips ? 20 : 0);
};

const widthOf = (field: Field): number => {
  const desired = field.kind === 'choice' ? Math.max(field.width ?? 0, choiceWidth(field)) : (field.width ?? kindWidth[field.kind] ?? 114);
  return Math.round(Math.max(desired, headWidth(field)));
};

/** Texts can be clipped, because the tooltip shows all; names and codes keep a larger minimum. */
const shrinking: readonly Field['kind'][] = ['text', 'long', 'link', 'tags', 'protocols', 'states', 'option', 'options'];
const minTextWidth = ({ kind, mono, noTruncate }: Field) =>
  kind === 'tags' || kind === 'protocols' ? (noTruncate ? 176 : 150) : noTruncate ? 120 : kind === 'link' ? 146 : mono ? 118 : 92;

/** Minimum width of the longest tag; tags use 12 px. */
const minChoiceWidth = ({ options = [] }: Field) => Math.max(64, ...options.map((o) => textWidth(t(o.label)) * 0.93 + 44));

const minWidthOf = (field: Field): number => {
  // A whole link does not wrap, so it would be cut without a sign; a whole code is not broken.
  const isFixed = field.mask || (field.noTruncate && (field.kind === 'link' || field.mono));
  if (isFixed || !(shrinking.includes(field.kind) || field.kind === 'choice'))
    return Math.max(field.width ?? kindWidth[field.kind] ?? 114, minHeadWidth(field));
  return Math.max(field.kind === 'choice' ? minChoiceWidth(field) : minTextWidth(field), minHeadWidth(field));
};

export const columnsOf = (r: Pick<Resource, 'fields' | 'columns' | 'sums'>): Column[] =>
  r.columns.flatMap((name) => {
    const field = r.fields[name];
    if (!field) return [];
    const minWidth = r.sums?.includes(name) ? sumWidth : 0;
    const width = Math.max(widthOf(field), minWidth);
    return [{ name, field, width, minWidth: Math.min(width, Math.round(Math.max(minWidthOf(field), minWidth))) }];
  });

export const isRight = (field: Field) => ['int', 'money', 'bytes', 'speed', 'rate', 'duration'].includes(field.kind);
