import { across, inFuture } from '../kit/rule.ts';
import type { Values } from '../kit/values.ts';

const itemsOf = (value: unknown): readonly Values[] => (Array.isArray(value) ? value : []);
const nameOf = (item: Values) => (item.card_type === 'package' ? `package ${item.package_id}` : `amount ${item.denomination}`);
const isNamed = (item: Values) => (item.card_type === 'package' ? item.package_id : item.denomination) !== undefined;

export const cardRules = {
  notPast: inFuture('not_past', ['有效期不能早于当前时间', 'The expiry cannot be in the past']),
  /** Two lines of the same kind would be one batch, so their numbers must be added up. */
  once: across('card_types_once', ['同一套餐或面值只能出现一次', 'Each package or denomination can appear only once'], (value) => {
    const names = itemsOf(value).filter(isNamed).map(nameOf);
    return new Set(names).size === names.length;
  }),
};
