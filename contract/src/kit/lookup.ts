import { limits } from '../limits.ts';
import { int, options, text } from './field.ts';

/** Lookups of tables that may be too long to be sent whole: the console asks for what is typed, and for the names of what is chosen. */
export const searchedLookups: ReadonlySet<string> = new Set([
  'device/option',
  'device/group/option',
  'user/option',
  'recharge_card_rule/option',
]);

/** What narrows such a lookup. Without any of it the first 10,000 are answered, as by every other lookup. */
export const lookupInput = {
  keyword: text(['关键字', 'Keyword'], { max: 128 }),
  chosen: options(['已选数据', 'Chosen rows'], ''),
  limit: int(['条数', 'Rows'], { rules: [] }),
};

/** As many as one look takes in. */
export const lookupRows = 50;
export const lookupMost = limits.optionLimit;
