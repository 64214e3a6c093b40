import type { Field } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { GatewayFields } from '@farlink/gateway/kit/field.ts';
import { clockText } from '../../ui/native/clock-text.ts';
import type { Refs } from './value-text.ts';

/** Cells of a table copied from a spreadsheet (tabs) or saved as CSV (commas and quotes). */
export const cellsOf = (text: string): string[][] => {
  const comma = text.includes('\t') ? '\t' : ',';
  const [rows, quote]: [string[][], string] = [[], '"'];
  let [row, cell, isQuoted]: [string[], string, boolean] = [[], '', false];
  const endCell = () => {
    row.push(cell.trim());
    cell = '';
  };
  const endRow = () => {
    endCell();
    if (row.some((each) => each !== '')) rows.push(row);
    row = [];
  };
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    if (isQuoted) {
      if (c === quote && text.charAt(i + 1) === quote) {
        cell += quote;
        i++;
      } else if (c === quote) isQuoted = false;
      else cell += c;
    } else if (c === quote && cell.trim() === '') {
      isQuoted = true;
      cell = '';
    } else if (c === comma) endCell();
    else if (c === '\n') endRow();
    else if (c !== '\r') cell += c;
  }
  endRow();
  return rows;
};

/** Fields that can be entered as text in a cell. */
export const isPasteable = (field: Field) =>
  !['polygon', 'file', 'document'].includes(field.kind) && (field.kind !== 'items' || Object.keys(field.items ?? {}).length === 1);

/** The order of the cells without a header: the visible columns, then other required fields. */
export const pasteOrder = (fields: GatewayFields, shown: readonly string[]): readonly string[] => {
  const needed = Object.entries(fields).filter(([name, field]) => field.required && !field.when && !shown.includes(name));
  return [...shown, ...needed.map(([name]) => name)];
};

const named = (fields: GatewayFields, head: string) =>
  Object.entries(fields).find(([name, { label }]) => [name, ...label].some((text) => text.toLowerCase() === head.toLowerCase()))?.[0];

export interface Pasted {
  /** The field of each column; undefined: no field has this name. */
  readonly columns: readonly (string | undefined)[];
  /** The header cells; null: no header, so the columns are those of `otherwise`. */
  readonly heads: readonly string[] | null;
  readonly rows: readonly (readonly string[])[];
}

/** A first line with field names is the header; without one, the columns are in the visible order. */
export const readPaste = (fields: GatewayFields, text: string, otherwise: readonly string[]): Pasted => {
  const cells = cellsOf(text);
  const [first = [], ...rest] = cells;
  const found = first.map((head) => named(fields, head));
  // A single cell can equal a field name by chance, so most cells must match.
  const isHead = found.filter(Boolean).length > first.length / 2;
  return isHead ? { columns: found, heads: first, rows: rest } : { columns: otherwise, heads: null, rows: cells };
};

const switchTexts: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(['1', 'true', 'yes', 'y', 'on', '是', '开', '开启', '启用', '√'].map((text) => [text, true])),
  ...Object.fromEntries(['0', 'false', 'no', 'n', 'off', '否', '关', '关闭', '停用', '×'].map((text) => [text, false])),
};

const isLabel = (label: Text, typed: string) => label.some((text) => text.toLowerCase() === typed.toLowerCase());

const daysOf = (typed: string): unknown => {
  const range = /^([1-7])\s*[-~至]\s*([1-7])$/.exec(typed);
  if (range) return Array.from({ length: Number(range[2]) - Number(range[1]) + 1 }, (_, i) => Number(range[1]) + i);
  return typed.split(/[\s,;、，；]+/).map(Number);
};

/** Converts a cell to a field value: labels of switches and choices, names of rows. An unknown text stays and is refused later. */
export const readCell = (field: Field, typed: string, refs: Refs): unknown => {
  if (typed === '' || typed === '-') return undefined;
  switch (field.kind) {
    case 'bool':
      return switchTexts[typed.toLowerCase()] ?? typed;
    case 'choice':
      return field.options?.find((o) => String(o.id) === typed || isLabel(o.label, typed))?.id ?? typed;
    case 'ref': {
      const rows = (field.of ?? []).flatMap((page) => refs[page] ?? []);
      return (rows.find(({ key }) => key === typed) ?? rows.find(({ name }) => name === typed))?.key ?? typed;
    }
    case 'weekdays':
      return daysOf(typed);
    case 'clock':
      return clockText(typed);
    case 'time':
    case 'date': {
      if (/^\d{10}$/.test(typed)) return Number(typed);
      const at = Date.parse(typed.replace(' ', 'T'));
      return Number.isNaN(at) ? typed : Math.floor(at / 1000);
    }
    case 'items': {
      const [[name, inner] = []] = Object.entries(field.items ?? {});
      if (name === undefined || !inner) return typed;
      return typed.split(/[\s;；]+/).flatMap((entry) => (entry === '' ? [] : [{ [name]: readCell(inner, entry, refs) }]));
    }
    default:
      return typed;
  }
};
