import { maxOf } from '@farlink/contract/kit/check.ts';
import { defaultPasswordRule } from '@farlink/contract/kit/password-rule.ts';
import type { Json, JsonObject } from '../protocol/shape.ts';
import { documentFields, isDocument } from './document.ts';
import type { GatewayField, GatewayFields } from './field.ts';
import type { GatewayPage } from './page.ts';

/** For every field, invalid values and the path where the problem must appear. */

export interface InvalidValue {
  readonly why: string;
  /** Undefined: the field is missing. */
  readonly value: Json | undefined;
}

const invalid = (why: string, value: Json | undefined): InvalidValue => ({ why, value });

const boundsOf = ({ rules }: GatewayField) => rules.find((rule) => rule.min !== undefined && rule.max !== undefined);

const env = { passwordRule: defaultPasswordRule };
const badTexts = ['中文 ~', '~!~', '-', '999.1.1.1', '0', 'no such'];

const ofText = (field: GatewayField): InvalidValue[] => {
  const maxLength = maxOf(field);
  const refused = badTexts.find((text) => field.rules.some((rule) => !rule.test(text, {}, env)));
  return [
    invalid('another type', { no: 'text' }),
    ...(field.kind === 'long' ? [] : [invalid('two lines', 'two\nlines')]),
    ...(maxLength === undefined ? [] : [invalid('too long', 'x'.repeat(maxLength + 1))]),
    ...(refused === undefined ? [] : [invalid('another form', refused)]),
  ];
};

const ofNumber = (field: GatewayField): InvalidValue[] => {
  const bounds = boundsOf(field);
  return [
    invalid('another type', 'many'),
    invalid('not whole', 1.5),
    ...(bounds?.min === undefined ? [] : [invalid('too small', bounds.min - 1)]),
    ...(bounds?.max === undefined ? [] : [invalid('too large', bounds.max + 1)]),
  ];
};

const corner = (i: number): Json => [Math.round(Math.cos(i) * 1000) / 100, Math.round(Math.sin(i) * 1000) / 100];
const corners = (count: number): Json => Array.from({ length: count }, (_, i) => corner(i));

const ofPolygon = (field: GatewayField): InvalidValue[] => {
  const { min = 3, max = 200 } = boundsOf(field) ?? {};
  return [
    invalid('another type', 'everywhere'),
    invalid('off the earth', [
      [200, 0],
      [0, 0],
      [1, 1],
    ]),
    invalid('no numbers', [
      ['1', '2'],
      ['3', '4'],
      [null, null],
    ]),
    invalid('too few corners', corners(min - 1)),
    invalid('too many corners', corners(max + 1)),
  ];
};

const ofItems = (field: GatewayField, lines: Json | undefined): InvalidValue[] => {
  const { min = 0, max = 0 } = boundsOf(field) ?? {};
  const one = Array.isArray(lines) ? (lines[0] ?? {}) : {};
  return [
    invalid('another type', 'none'),
    invalid(
      'too many lines',
      Array.from({ length: max + 1 }, () => one),
    ),
    ...(min > 0 && !field.required ? [invalid('too few lines', [])] : []),
  ];
};

const ofFile = (field: GatewayField): InvalidValue[] => {
  const sha256 = 'a'.repeat(64);
  const largest = field.rules.find(({ name }) => name === 'file_size')?.max ?? 0;
  const names = ['x.opt', 'x.crt', 'x.key', 'x.zip', 'x.tar', 'x.lic'];
  const named = names.find((name) => field.rules.every((rule) => rule.test({ name, size: 1, sha256 }, {}, env)));
  return [
    invalid('another type', 'file.txt'),
    invalid('no hash', { name: 'x', size: 1 }),
    invalid('another name', { name: 'x.exe', size: 1, sha256 }),
    ...(named === undefined ? [] : [invalid('too large', { name: named, size: largest + 1, sha256 })]),
  ];
};

/** `now` is a valid value. */
export const invalidsOf = (field: GatewayField, current: Json | undefined): readonly InvalidValue[] => {
  const missing = field.required ? [invalid('missing', undefined)] : [];
  switch (field.kind) {
    case 'int':
      return [...missing, ...ofNumber(field)];
    case 'bool':
      return [invalid('another type', 'maybe'), ...(field.rules.length > 0 ? [invalid('not ticked', false)] : [])];
    case 'choice':
      return [...missing, invalid('not offered', 'no_such_choice')];
    case 'clock':
      return [...missing, invalid('no time of day', '25:00')];
    case 'weekdays':
      return [...missing, invalid('no such day', [8])];
    case 'time':
      return [...missing, invalid('another type', 'soon')];
    case 'ref':
      return [...missing, invalid('another type', { no: 'key' })];
    case 'polygon':
      return [...missing, ...ofPolygon(field)];
    case 'items':
      return [...missing, ...ofItems(field, current)];
    case 'file':
      return [...missing, ...ofFile(field)];
    default:
      return [...missing, ...ofText(field)];
  }
};

/** One field of a document, with a function to replace its value. */
export interface FieldPosition {
  readonly path: string;
  readonly name: string;
  readonly field: GatewayField;
  readonly value: Json | undefined;
  /** Other fields depend on its value. */
  readonly controlsOthers: boolean;
  with(value: Json | undefined): JsonObject;
}

const positionsIn = (fields: GatewayFields, doc: JsonObject, at: string, rebuild: (doc: JsonObject) => JsonObject): FieldPosition[] =>
  Object.entries(fields).flatMap(([name, field]): FieldPosition[] => {
    if (field.reported || field.when?.(doc) === false) return [];
    const value = doc[name];
    const withValue = (next: Json | undefined): JsonObject => {
      const { [name]: _, ...rest } = doc;
      return rebuild(next === undefined ? rest : { ...rest, [name]: next });
    };
    const controlsOthers = Object.values(fields).some(({ visibleIf }) => visibleIf?.[0] === name);
    const inner = Array.isArray(value) && field.items ? linesOf(field.items, value, `${at}${name}`, withValue) : [];
    return [{ path: `${at}${name}`, name, field, value, controlsOthers, with: withValue }, ...inner];
  });

const linesOf = (fields: GatewayFields, lines: readonly Json[], at: string, withLines: (lines: Json) => JsonObject): FieldPosition[] =>
  lines.flatMap((line, i) =>
    isDocument(line) ? positionsIn(fields, line, `${at}[${i}].`, (next) => withLines(lines.map((one, j) => (j === i ? next : one)))) : [],
  );

/** Every field that a document has or can have. */
export const fieldPositions = (page: GatewayPage, doc: JsonObject): readonly FieldPosition[] =>
  positionsIn(documentFields(page), doc, '', (next) => next);
