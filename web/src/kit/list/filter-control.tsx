import type { Field } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { LazyDateRange } from '../../ui/antd/lazy-date-range.tsx';
import { LazySelect } from '../../ui/antd/lazy-select.tsx';
import { yesNo } from '../../ui/format.ts';
import { LineInput } from '../../ui/native/line-input.tsx';
import { t } from '../chrome/lang.ts';
import { choose, OptionSelect } from '../form/option-select.tsx';
import { narrowing } from '../form/options.ts';
import { rangeRefusal } from './filter-rules.ts';
import type { Filters } from './list-state.ts';

const enter: Text = ['请输入', 'Please enter'];
/** Short parts of a code match too many rows, so they match only the start. */
const hints: Readonly<Record<NonNullable<Field['match']>, Text>> = {
  name: enter,
  code: ['开头或任意3位', 'Start or 3+ chars'],
  start: ['从开头匹配', 'Matches the start'],
  exact: ['精确匹配', 'Exact match'],
};
const period: Text = ['开始日期 → 结束日期', 'Start → end date'];
const operators = [
  { value: 'gt', label: t(['大于', 'Greater than']) },
  { value: 'eq', label: t(['等于', 'Equal to']) },
  { value: 'lt', label: t(['小于', 'Less than']) },
  { value: 'between', label: t(['介于', 'Between']) },
];
const lower: Text = ['最小值', 'From'];
const upper: Text = ['最大值', 'To'];
const digits = (text: string) => text.replace(/[^\d.]/g, '');
const presets = [
  { label: t(['今天', 'Today']), days: 1 },
  { label: t(['近7天', 'Last 7 days']), days: 7 },
  { label: t(['近30天', 'Last 30 days']), days: 30 },
];

interface FilterControlProps {
  readonly id: string;
  readonly name: string;
  readonly field: Field;
  readonly scope: Values;
  readonly draft: Filters;
  /** Sets wire parameters; an empty text clears one. */
  readonly put: (values: Filters) => void;
}

const number = (text: string | undefined) => (text ? Number(text) : undefined);

/** A number with its operator, or two numbers as bounds. */
const NumberFilter = ({ id, name, field, draft, put }: Omit<FilterControlProps, 'scope'>) => {
  const cond = `cond_${name}`;
  return (
    <div className="joined">
      <LazySelect
        label={`${t(field.label)} ${t(choose)}`}
        value={draft[cond] ?? 'eq'}
        options={operators}
        onChange={(next) => put({ [cond]: next ?? 'eq' })}
        required
      />
      <LineInput
        id={id}
        inputMode="decimal"
        value={draft[name] ?? ''}
        placeholder={t(draft[cond] === 'between' ? lower : enter)}
        onChange={(typed) => put({ [name]: digits(typed), [cond]: draft[cond] ?? 'eq' })}
      />
      {draft[cond] === 'between' && (
        <LineInput
          id={`${id}-end`}
          label={`${t(field.label)} ${t(upper)}`}
          inputMode="decimal"
          value={draft[`${name}_end`] ?? ''}
          placeholder={t(upper)}
          onChange={(typed) => put({ [`${name}_end`]: digits(typed) })}
        />
      )}
    </div>
  );
};

/** The control for a kind of field (spec §2, §7). */
export const FilterControl = ({ id, name, field, scope, draft, put }: FilterControlProps) => {
  const value = draft[name];
  const setValue = (next: string | undefined) => put({ [name]: next ?? '' });
  const options =
    field.kind === 'bool'
      ? [1, 0].map((v) => ({ value: String(v), label: t(yesNo(v)) }))
      : (field.options ?? []).map((o) => ({ value: String(o.id), label: t(o.label) }));
  switch (field.kind) {
    case 'choice':
    case 'bool':
      return <LazySelect id={id} value={value} options={options} onChange={setValue} placeholder={t(field.unset ?? choose)} />;
    case 'option':
    case 'options':
      return (
        <OptionSelect
          id={id}
          lookup={field.lookup ?? ''}
          params={narrowing(field, scope)}
          value={number(value)}
          onChange={(next) => setValue(next?.toString())}
          isFilter
        />
      );
    case 'time':
    case 'date': {
      const start = `${name}_start`;
      const end = `${name}_end`;
      return (
        <LazyDateRange
          placeholder={t(field.unset ?? period)}
          id={id}
          label={t(field.label)}
          value={[number(draft[start]), number(draft[end])]}
          onChange={([from, to]) => put({ [start]: from?.toString() ?? '', [end]: to?.toString() ?? '' })}
          status={rangeRefusal(name, field, draft) && 'error'}
          presets={presets}
        />
      );
    }
    case 'int':
    case 'progress':
    case 'money':
    case 'bytes':
      return <NumberFilter id={id} name={name} field={field} draft={draft} put={put} />;
    default:
      return (
        <LineInput
          id={id}
          type="search"
          value={value ?? ''}
          placeholder={t(hints[field.match ?? 'name'])}
          onChange={setValue}
          onLeave={() => setValue(value?.trim())}
        />
      );
  }
};
