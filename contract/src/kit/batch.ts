import { limits } from '../limits.ts';
import { shape } from './endpoint.ts';
import { options } from './field.ts';
import type { Rule } from './rule.ts';

/** Result of each row of a batch; a refused row does not stop the others. */
export interface BatchResult {
  readonly success: number;
  readonly fail: number;
  readonly list: readonly {
    readonly id: number;
    readonly success: boolean;
    readonly message: string;
    /** The form field of the refusal. */
    readonly field?: string;
    /** The bill of the row and the received amount. */
    readonly bill_no?: string;
    readonly received?: string;
    /** Name of a row that was not selected on the page. */
    readonly name?: string;
  }[];
}

export const batchShape = shape<BatchResult>();

const selectionLimit: Rule = {
  name: 'selection',
  test: (value) => Array.isArray(value) && value.length <= limits.selectionMax,
  text: [`一次最多选择${limits.selectionMax}条数据`, `At most ${limits.selectionMax} rows at a time`],
};

/** Rows that narrow an option list. */
export const batchIds = options(['数据', 'rows'], '', { hidden: true, rules: [selectionLimit] });

/** The selected rows. */
export const ids = options(['数据', 'rows'], '', { required: true, hidden: true, rules: [selectionLimit] });
