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
  interfaceAddress as interfaceAddressRule,
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
  readonly visibleIf?: readonly [neighbour: string, value: Scalar];
  /** Written by the gateway: shown, but never part of the desired document. */
  readonly reported?: boolean;
  /** A time that must be in the future when an operator enters it; it may pass later. */
  readonly future?: boolean;
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

const isVisible = (visibleIf: GatewayField['visibleIf']) => (values: Values) =>
  visibleIf === undefined || values[visibleIf[0]] === visibleIf[1];

const withOptions = (made: Field, { when, reported }: Options, more: Partial<GatewayField> = {}): GatewayField => ({
  ...made,
  ...more,
  ...(when && { visibleIf: when, when: isVisible(when) }),
  ...(reported && { reported, readonly: true, required: false }),
});

const baseOptions = ({ required, default: start, tips }: Options) => ({ required: required === true, default: start, tips });

const textOptions = (o: TextOptions, ...rules: readonly Rule[]) => ({
  ...baseOptions(o),
  max: o.max,
  unit: o.unit,
  rules: [...rules, ...(o.like ? [o.like] : [])],
});

export const text = (label: Text, o: TextOptions = {}) => withOptions(kit.text(label, textOptions(o, oneLine)), o);
export const longText = (label: Text, o: TextOptions = {}) =>
  withOptions(kit.longText(label, textOptions(o, plainLines)), o, o.secret ? { secret: true } : {});
export const secret = (label: Text, o: TextOptions = {}) => withOptions(kit.password(label, textOptions(o, oneLine)), o, { secret: true });

/** A text field with a fixed pattern. */
const patternField =
  (rule: Rule, max?: number) =>
  (label: Text, o: TextOptions = {}) =>
    withOptions(kit.text(label, textOptions({ max, ...o }, rule)), o);
export const ipv4 = patternField(ipv4Rule);
export const cidr = patternField(cidrRule);
/** The address of an interface with its prefix. */
export const interfaceAddress = (label: Text, o: TextOptions = {}) => cidr(label, { ...o, like: interfaceAddressRule });
export const mac = patternField(macRule);
export const ports = patternField(portRange);
export const domain = patternField(domainRule, 255);
export const url = patternField(urlRule, 255);

const numberField = (label: Text, o: NumberOptions, unit = o.unit) => {
  const bounds = o.min === undefined || o.max === undefined ? [] : [within(o.min, o.max)];
  return withOptions(kit.int(label, { ...baseOptions(o), rules: bounds, unit }), o);
};
export const int = (label: Text, o: NumberOptions = {}) => numberField(label, o);
export const port = (label: Text, o: NumberOptions = {}) => numberField(label, { min: 1, max: 65_535, ...o });
export const percent = (label: Text, o: NumberOptions = {}) => numberField(label, { min: 0, max: 100, ...o }, '%');
/** kbit/s; 0 is unlimited. */
export const rate = (label: Text, o: NumberOptions = {}) => numberField(label, { min: 0, max: 10_000_000, ...o }, 'kbps');
/** A whole number in the unit of the field. */
export const duration = (label: Text, o: NumberOptions = {}) => numberField(label, o);

/** A column with seconds. */
export const span = (label: Text) => withOptions(kit.duration(label), {});

/** A switch; a required one is a confirmation. */
export const bool = (label: Text, o: Options = {}) =>
  withOptions(kit.bool(label, { ...baseOptions(o), required: false, rules: o.required ? [ticked] : [] }), o);

/** Options by value; a list if the values are numbers. */
export type Choices = Readonly<Record<string, Text>> | readonly (readonly [value: number, zh: string, en: string])[];
const optionsOf = (choices: Choices) =>
  Array.isArray(choices)
    ? choices.map(([id, zh, en]) => ({ id, label: [zh, en] as const }))
    : Object.entries(choices).map(([id, label]) => ({ id, label }));
export const choice = (label: Text, choices: Choices, o: Options = {}) =>
  withOptions(kit.choice(label, optionsOf(choices), baseOptions(o)), o);

export const clock = (label: Text, o: Options = {}) => withOptions(kit.clock(label, baseOptions(o)), o);
export const weekdays = (label: Text, o: Options = {}) => withOptions(kit.weekdays(label, baseOptions(o)), o);
export const time = (label: Text, o: Options & { readonly future?: true } = {}) =>
  withOptions(kit.time(label, baseOptions(o)), o, o.future ? { future: true } : {});

interface ListOptions extends Options {
  readonly min?: number;
  readonly max: number;
}
export const polygon = (label: Text, o: ListOptions) =>
  withOptions(kit.polygon(label, { ...baseOptions(o), rules: [countWithin(o.min ?? 0, o.max)] }), o);
export const rows = (label: Text, o: ListOptions, fields: GatewayFields) =>
  withOptions(kit.items(label, fields, { ...baseOptions(o), rules: [countWithin(o.min ?? 0, o.max)] }), o);

interface FileOptions extends Options {
  readonly bytes: number;
  readonly size: Text;
  readonly named: RegExp;
  readonly names: Text;
  readonly secret?: boolean;
}
export const file = (label: Text, o: FileOptions) =>
  withOptions(
    kit.file(label, { ...baseOptions(o), rules: [wholeFile, fileNamed(o.named, o.names), fileUpTo(o.bytes, o.size)] }),
    o,
    o.secret ? { secret: true } : {},
  );

/** A reference to a row of another page, by its key. */
export const ref = (label: Text, page: string, o: Options = {}) => withOptions(kit.ref(label, [page], baseOptions(o)), o);
/** A reference to a network interface: WAN, LAN or VLAN. */
export const iface = (label: Text, o: Options = {}) =>
  withOptions(kit.ref(label, ['network_wan', 'network_lan', 'network_vlan'], baseOptions(o)), o);

/** A field is hidden if its neighbour is hidden, along the whole chain. */
export const chained = (fields: GatewayFields): GatewayFields => {
  const isShown = (name: string, values: Values): boolean => {
    const visibleIf = fields[name]?.visibleIf;
    return visibleIf === undefined || (values[visibleIf[0]] === visibleIf[1] && isShown(visibleIf[0], values));
  };
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]): [string, GatewayField] => [
      name,
      {
        ...field,
        ...(field.visibleIf && { when: (values: Values) => isShown(name, values) }),
        ...(field.items && { items: chained(field.items) }),
      },
    ]),
  );
};
