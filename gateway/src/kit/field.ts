import type { Default, Field } from '@farlink/contract/kit/field.ts';
import * as kit from '@farlink/contract/kit/field.ts';
import type { Rule } from '@farlink/contract/kit/rule.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import {
  cidr as cidrRule,
  countWithin,
  domain as domainRule,
  fileNamed,
  fileUpTo,
  ipv4 as ipv4Rule,
  mac as macRule,
  oneLine,
  plainLines,
  portRange,
  ticked,
  url as urlRule,
  wholeFile,
  within,
} from './rules.ts';

type Scalar = string | number | boolean;

/** A field of a gateway configuration: the contract field plus gateway properties. */
export interface GatewayField extends Field {
  /** Visible only while this neighbour is visible and has this value. */
  readonly steer?: readonly [neighbour: string, value: Scalar];
  /** Written by the gateway: shown, but never part of the desired document. */
  readonly reported?: boolean;
}
export type GatewayFields = Readonly<Record<string, GatewayField>>;

interface Options {
  readonly required?: boolean;
  readonly default?: Default;
  readonly tips?: Text;
  readonly when?: readonly [neighbour: string, value: Scalar];
  readonly reported?: boolean;
}
interface TextOptions extends Options {
  readonly max?: number;
  readonly like?: Rule;
  readonly unit?: string;
  readonly secret?: boolean;
}
interface NumberOptions extends Options {
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
}

const holds = (steer: GatewayField['steer']) => (values: Values) => steer === undefined || values[steer[0]] === steer[1];

const dressed = (made: Field, { when, reported }: Options, more: Partial<GatewayField> = {}): GatewayField => ({
  ...made,
  ...more,
  ...(when && { steer: when, when: holds(when) }),
  ...(reported && { reported, readonly: true, required: false }),
});

const plain = ({ required, default: start, tips }: Options) => ({ required: required === true, default: start, tips });

const written = (o: TextOptions, ...rules: readonly Rule[]) => ({
  ...plain(o),
  max: o.max,
  unit: o.unit,
  rules: [...rules, ...(o.like ? [o.like] : [])],
});

export const text = (label: Text, o: TextOptions = {}) => dressed(kit.text(label, written(o, oneLine)), o);
export const long = (label: Text, o: TextOptions = {}) =>
  dressed(kit.long(label, written(o, plainLines)), o, o.secret ? { secret: true } : {});
export const secret = (label: Text, o: TextOptions = {}) => dressed(kit.password(label, written(o, oneLine)), o, { secret: true });

/** A text field with a fixed pattern. */
const formed =
  (rule: Rule, max?: number) =>
  (label: Text, o: TextOptions = {}) =>
    dressed(kit.text(label, written({ max, ...o }, rule)), o);
export const ipv4 = formed(ipv4Rule);
export const cidr = formed(cidrRule);
export const mac = formed(macRule);
export const ports = formed(portRange);
export const domain = formed(domainRule, 255);
export const url = formed(urlRule, 255);

const numberField = (label: Text, o: NumberOptions, unit = o.unit) => {
  const bounds = o.min === undefined || o.max === undefined ? [] : [within(o.min, o.max)];
  return dressed(kit.int(label, { ...plain(o), rules: bounds, unit }), o);
};
export const int = (label: Text, o: NumberOptions = {}) => numberField(label, o);
export const port = (label: Text, o: NumberOptions = {}) => numberField(label, { min: 1, max: 65_535, ...o });
export const percent = (label: Text, o: NumberOptions = {}) => numberField(label, { min: 0, max: 100, ...o }, '%');
/** kbit/s; 0 is unlimited. */
export const rate = (label: Text, o: NumberOptions = {}) => numberField(label, { min: 0, max: 10_000_000, ...o }, 'kbps');
/** A whole number in the unit of the field. */
export const duration = (label: Text, o: NumberOptions = {}) => numberField(label, o);

/** A column with seconds. */
export const span = (label: Text) => dressed(kit.duration(label), {});

/** A switch; a required one is a confirmation. */
export const bool = (label: Text, o: Options = {}) =>
  dressed(kit.bool(label, { ...plain(o), required: false, rules: o.required ? [ticked] : [] }), o);

/** Options by value; a list if the values are numbers. */
export type Choices = Readonly<Record<string, Text>> | readonly (readonly [value: number, zh: string, en: string])[];
const offered = (choices: Choices) =>
  Array.isArray(choices)
    ? choices.map(([id, zh, en]) => ({ id, label: [zh, en] as const }))
    : Object.entries(choices).map(([id, label]) => ({ id, label }));
export const one = (label: Text, choices: Choices, o: Options = {}) => dressed(kit.choice(label, offered(choices), plain(o)), o);

export const clock = (label: Text, o: Options = {}) => dressed(kit.clock(label, plain(o)), o);
export const weekdays = (label: Text, o: Options = {}) => dressed(kit.weekdays(label, plain(o)), o);
export const moment = (label: Text, o: Options = {}) => dressed(kit.time(label, plain(o)), o);

interface ListOptions extends Options {
  readonly min?: number;
  readonly max: number;
}
export const polygon = (label: Text, o: ListOptions) =>
  dressed(kit.polygon(label, { ...plain(o), rules: [countWithin(o.min ?? 0, o.max)] }), o);
export const rows = (label: Text, o: ListOptions, fields: GatewayFields) =>
  dressed(kit.items(label, fields, { ...plain(o), rules: [countWithin(o.min ?? 0, o.max)] }), o);

interface FileOptions extends Options {
  readonly bytes: number;
  readonly size: Text;
  readonly named: RegExp;
  readonly names: Text;
  readonly secret?: boolean;
}
export const file = (label: Text, o: FileOptions) =>
  dressed(
    kit.file(label, { ...plain(o), rules: [wholeFile, fileNamed(o.named, o.names), fileUpTo(o.bytes, o.size)] }),
    o,
    o.secret ? { secret: true } : {},
  );

/** A reference to a row of another page, by its key. */
export const ref = (label: Text, page: string, o: Options = {}) => dressed(kit.ref(label, [page], plain(o)), o);
/** A reference to a network interface: WAN, LAN or VLAN. */
export const iface = (label: Text, o: Options = {}) => dressed(kit.ref(label, ['network_wan', 'network_lan', 'network_vlan'], plain(o)), o);

/** A field is hidden if its neighbour is hidden, along the whole chain. */
export const chained = (fields: GatewayFields): GatewayFields => {
  const isThere = (name: string, values: Values): boolean => {
    const steer = fields[name]?.steer;
    return steer === undefined || (values[steer[0]] === steer[1] && isThere(steer[0], values));
  };
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]): [string, GatewayField] => [
      name,
      {
        ...field,
        ...(field.steer && { when: (values: Values) => isThere(name, values) }),
        ...(field.items && { items: chained(field.items) }),
      },
    ]),
  );
};
