import { limits } from '../limits.ts';
import type { Field, Fields } from './field.ts';
import type { Env, Rule } from './rule.ts';
import { fill, lengthOf, type Text } from './text.ts';
import { singleText, type Values } from './values.ts';

/** Validates raw input against fields. Form and server get the same result and the same texts. */
export type Checked = { readonly values: Record<string, unknown>; readonly errors: Record<string, Text> };

const wrongKind: Text = ['格式不正确', 'Not a valid value'];
const wrongSpeed: Text = ['请输入8的整数倍（kbps）', 'Enter a multiple of 8 kbps'];
const enter: Text = ['请输入{0}', 'Please enter {0}'];
const confirm: Text = ['请输入{0}', 'Please {0}'];
const select: Text = ['请选择{0}', 'Please select {0}'];
const improve: Text = ['请完善{0}', 'Please improve {0}'];
const atLine: Text = ['第{0}行：{1}', 'Line {0}: {1}'];
const tooLong: Text = ['长度不能超过{0}个字符', 'At most {0} characters'];

/** Names that keep their capital inside a sentence. Abbreviations and words such as WeChat are detected by their second capital. */
const properNouns = ['Alipay', 'Chinese', 'English'];

const midSentence = (label: string) => {
  const [firstWord = ''] = label.split(' ');
  return /^[A-Z][^A-Z]*$/.test(firstWord) && firstWord.length > 1 && !properNouns.includes(firstWord)
    ? label.charAt(0).toLowerCase() + label.slice(1)
    : label;
};

export const requiredText = (field: Field): Text => {
  const isOffered = field.options !== undefined || (field.suggest !== undefined && !field.typed && field.kind !== 'tags');
  const verb =
    field.kind === 'grants' || field.kind === 'items'
      ? improve
      : isOffered || ['option', 'options', 'time', 'date', 'clock', 'weekdays', 'polygon', 'ref', 'file', 'protocols'].includes(field.kind)
        ? select
        : field.label[1].startsWith('Confirm ')
          ? confirm
          : enter;
  return fill(verb, [field.label[0], midSentence(field.label[1])]);
};

export const isEmpty = (raw: unknown) => raw === undefined || raw === null || raw === '' || (Array.isArray(raw) && raw.length === 0);

/** Maximum text length of a field: its own limit, its strictest rule, or the default of spec §9. */
export const maxOf = (field: Field): number | undefined => {
  if (!['text', 'long', 'password', 'link'].includes(field.kind)) return undefined;
  const bounds = field.rules.flatMap((r) => (r.max === undefined ? [] : [r.max]));
  const own = field.max ?? (bounds.length > 0 ? Math.min(...bounds) : undefined);
  return own ?? (field.kind === 'text' ? limits.inputMax : field.kind === 'long' ? 512 : undefined);
};

const wrong = Symbol('wrong');

const whole = (raw: unknown) => {
  const n = typeof raw === 'string' && /^-?\d{1,15}$/.test(raw.trim()) ? Number(raw) : raw;
  return typeof n === 'number' && Number.isSafeInteger(n) ? n : wrong;
};

const cents = (raw: unknown) => {
  const s = typeof raw === 'number' ? String(raw) : raw;
  if (typeof s !== 'string' || !/^\d{1,12}(\.\d{1,2})?$/.test(s.trim())) return wrong;
  const [yuan = '0', rest = ''] = s.trim().split('.');
  return `${BigInt(yuan)}.${rest.padEnd(2, '0')}`;
};

const texts = (raw: unknown) => (Array.isArray(raw) && raw.every((t) => typeof t === 'string') ? raw : wrong);

const known = ({ options }: Field, entries: string[] | typeof wrong) =>
  options === undefined || entries === wrong || entries.every((t) => options.some((o) => o.id === t)) ? entries : wrong;

const codeOf = ({ codes = [] }: Field, typed: string) =>
  codes.find(({ label }) => label.some((text) => text.toLowerCase() === typed.toLowerCase()))?.id ?? typed;

const plainText = (field: Field, typed: string) => field.plain?.(typed) ?? codeOf(field, typed);

const booleans = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['1', true],
  ['true', true],
  [false, false],
  [0, false],
  ['0', false],
  ['false', false],
]);

/** Converts a raw value to the type of the field; `wrong` if impossible. */
const read = (field: Field, raw: unknown): unknown => {
  switch (field.kind) {
    case 'text':
      return typeof raw === 'string' || typeof raw === 'number' ? plainText(field, String(raw).trim()) : wrong;
    case 'long':
    case 'link':
    case 'color':
      return typeof raw === 'string' ? raw.trim() : typeof raw === 'number' ? String(raw) : wrong;
    case 'password':
      return typeof raw === 'string' ? raw : wrong;
    case 'ref':
      return typeof raw === 'string' || typeof raw === 'number' ? raw : wrong;
    case 'clock':
      return typeof raw === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(raw) ? raw : wrong;
    case 'weekdays':
      return Array.isArray(raw) && raw.every((day) => Number.isInteger(day) && day >= 1 && day <= 7)
        ? [...new Set<number>(raw)].toSorted((a, b) => a - b)
        : wrong;
    case 'polygon':
      return Array.isArray(raw) && raw.every(isPoint) ? raw : wrong;
    case 'int':
    case 'time':
    case 'date':
    case 'bytes':
    case 'speed':
    case 'rate':
    case 'duration':
    case 'progress':
    case 'option':
      return whole(raw);
    case 'money':
      return cents(raw);
    case 'bool':
      return booleans.get(raw) ?? wrong;
    case 'choice': {
      const typed = singleText(raw);
      const found = field.options?.find((o) => String(o.id) === typed);
      return found ? found.id : wrong;
    }
    case 'options': {
      const ids = (Array.isArray(raw) ? raw : (singleText(raw) ?? '').split(',')).map(whole);
      return ids.includes(wrong) ? wrong : [...new Set(ids)];
    }
    case 'tags':
      // A multipart form sends only texts.
      return known(field, texts(typeof raw === 'string' ? raw.split(',').flatMap((t) => t.trim() || []) : raw));
    case 'protocols':
      return texts(raw);
    case 'grants': {
      if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return wrong;
      return Object.values(raw).every((g) => g === '00' || g === '10' || g === '11') ? raw : wrong;
    }
    case 'document':
      return isRecord(raw) ? raw : wrong;
    case 'items':
      return Array.isArray(raw) && raw.every(isRecord) ? raw : wrong;
    case 'states':
    case 'image':
      return wrong;
    case 'file':
      return raw;
  }
};

/** Longitude and latitude, WGS-84. */
const isPoint = (raw: unknown) => Array.isArray(raw) && raw.length === 2 && isDegrees(raw[0], 180) && isDegrees(raw[1], 90);
const isDegrees = (raw: unknown, max: number) => typeof raw === 'number' && Math.abs(raw) <= max;

const isRecord = (raw: unknown): raw is Values => typeof raw === 'object' && raw !== null && !Array.isArray(raw);

/** The rule whose maximum a list of records exceeds. It is checked before the records, so an oversized list stays cheap. */
export const overLimit = (field: Field, raw: unknown): Rule | undefined =>
  Array.isArray(raw) ? field.rules.find(({ max }) => max !== undefined && raw.length > max) : undefined;

/** Checks each record; errors have the path `cards[0].count`. */
const checkItems = (name: string, field: Field, raw: unknown, env: Env) => {
  const checked = Array.isArray(raw) ? raw.filter(isRecord).map((item) => check(field.items ?? {}, item, env)) : [];
  const errors = checked.flatMap((item, i) => Object.entries(item.errors).map(([key, text]) => [`${name}[${i}].${key}`, text] as const));
  const first = checked.findIndex((item) => Object.keys(item.errors).length > 0);
  const [firstError] = Object.values(checked[first]?.errors ?? {});
  return {
    values: checked.map((item) => item.values),
    errors: Object.fromEntries(errors),
    refusal: firstError && fill(atLine, first + 1, firstError),
  };
};

const textOf = (rule: Rule, env: Env, value?: unknown): Text => (typeof rule.text === 'function' ? rule.text(env, value) : rule.text);

/** Error text of a value with the wrong type; an amount with three decimals uses its own rule. */
const unreadText = (field: Field, env: Env): Text => {
  if (field.kind === 'choice' || field.kind === 'option') return requiredText(field);
  if (field.kind === 'speed') return wrongSpeed;
  const [rule] = field.rules;
  return field.kind === 'money' && rule ? textOf(rule, env) : wrongKind;
};

/** The error of one field, or undefined. */
const checkField = (field: Field, value: unknown, all: Values, env: Env): Text | undefined => {
  if (isEmpty(value)) return field.required || field.requiredWhen?.(all) ? requiredText(field) : undefined;
  const max = maxOf(field);
  const broken = field.rules.find((rule) => !rule.test(value, all, env));
  if (broken) return textOf(broken, env, value);
  return max !== undefined && lengthOf(String(value)) > max ? fill(tooLong, max) : undefined;
};

/**
 * A missing value stays undefined, a cleared one becomes null. With `partial` a missing field is skipped, unless a rule binds it to a
 * present field (a new password requires its confirmation).
 */
export const check = (fields: Fields, raw: Values, env: Env, partial = false): Checked => {
  const values: Record<string, unknown> = {};
  const errors: Record<string, Text> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (isEmpty(raw[name])) values[name] = name in raw && raw[name] !== undefined ? null : undefined;
    else values[name] = read(field, raw[name]);
    if (values[name] === wrong) {
      errors[name] = unreadText(field, env);
      values[name] = undefined;
    }
  }
  const lines = new Map<string, ReturnType<typeof checkItems>>();
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind !== 'items' || isEmpty(values[name])) continue;
    const exceeded = overLimit(field, values[name]);
    if (exceeded) {
      errors[name] = textOf(exceeded, env);
      values[name] = undefined;
      continue;
    }
    const checked = checkItems(name, field, values[name], env);
    lines.set(name, checked);
    values[name] = checked.values;
  }
  const all = { ...raw, ...values };
  for (const [name, field] of Object.entries(fields)) {
    if (errors[name]) continue;
    if (field.when && !field.when(all)) {
      values[name] = undefined;
      continue;
    }
    const bound = field.rules.some((r) => r.other !== undefined && !isEmpty(all[r.other]) && r.name === 'confirm_equal');
    if (partial && values[name] === undefined && !bound) continue;
    const line = lines.get(name);
    const refusal = checkField(field, values[name], all, env) ?? line?.refusal;
    if (refusal) Object.assign(errors, line?.errors, { [name]: refusal });
  }
  return { values, errors };
};
