import type { Field } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { unitName } from '@farlink/contract/kit/value-text.ts';
import { numberText } from '../../ui/format.ts';
import { t } from '../chrome/lang.ts';

export const unitText = (unit: string): string => t(unitName(unit));

/** The bounds of a number, as a short placeholder. */
export const boundsText = ({ kind, rules }: Field): string | undefined => {
  const rule = rules.find((r) => r.name === 'within');
  return kind === 'int' && rule?.min !== undefined && rule.max !== undefined
    ? `${numberText(rule.min)}–${numberText(rule.max)}`
    : undefined;
};

const unlimited: Text = ['0 表示不限速', '0 is unlimited'];

/** Rules that the control already shows: bounds as placeholder, row count, file, confirmation. */
const shown = ['within', 'count', 'file', 'ticked'];

/** Hints of a field before input: its tips and its rules. */
export const tipsOf = (field: Field): string | undefined => {
  const rules = field.rules.flatMap(({ text, name }) => (typeof text === 'function' || shown.includes(name) ? [] : [t(text)]));
  const own = [...(field.tips ? [t(field.tips)] : []), ...(field.unit === 'kbps' ? [t(unlimited)] : []), ...rules];
  return own.length > 0 ? own.join('\n') : undefined;
};
