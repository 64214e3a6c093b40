import { maxOf } from '@farlink/contract/kit/check.ts';
import type { Field } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { lengthOf } from '@farlink/contract/kit/text.ts';
import { kilobits } from '@farlink/contract/kit/units.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { lazy, Suspense } from 'react';
import { ColorInput } from '../../ui/antd/color-input.tsx';
import { Input, PasswordInput, TextArea } from '../../ui/antd/input.ts';
import { RadioGroup } from '../../ui/antd/radio-group.ts';
import { AntdSelect } from '../../ui/antd/select.tsx';
import { Switch } from '../../ui/antd/switch.ts';
import { TagBox } from '../../ui/antd/tag-box.tsx';
import { CheckList } from '../../ui/native/check-list.tsx';
import { errorId } from '../../ui/native/field-frame.tsx';
import { t } from '../chrome/lang.ts';
import { ComboBox } from './combo-box.tsx';
import { choose, OptionSelect } from './option-select.tsx';
import { narrowing } from './options.ts';
import { TimeControl } from './time-control.tsx';
import { TransferField } from './transfer-field.tsx';
import { textOf, trimOnBlur } from './typed-text.ts';
import { Upload } from './upload.tsx';

const ProtocolSelect = lazy(() => import('./protocol-select.tsx'));

interface ControlProps {
  readonly id: string;
  readonly field: Field;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly scope: Values;
  readonly isWrong: boolean;
  /** The tree node that cannot be chosen. */
  readonly excluded?: number | undefined;
}

const maxRadioOptions = 3;
const typeTags: Text = ['输入后按回车添加', 'Type and press Enter'];
const chooseColor: Text = ['选取颜色', 'Pick a color'];
const number = (value: unknown) => (value === undefined || value === null || value === '' ? undefined : Number(value));

/** Entered in kbps, stored in KB/s; a value that is not a multiple stays a fraction and is refused. */
const speedOf = (typed: string) => (/^\d{1,15}$/.test(typed.trim()) ? Number(typed) / kilobits : typed);

const nearLimit = 0.8;

type PlainProps = Omit<ControlProps, 'scope' | 'barred'>;

const statusOf = (isWrong: boolean) => (isWrong ? 'error' : undefined);
const describedBy = (id: string, isWrong: boolean) => (isWrong ? errorId(id) : undefined);

/** Properties of each text input. Text that is too long is marked, never cut. */
const lineOf = ({ id, field, value, isWrong }: Omit<PlainProps, 'onChange'>) => {
  const max = maxOf(field);
  return {
    id,
    status: statusOf(isWrong),
    value: textOf(value),
    'aria-describedby': describedBy(id, isWrong),
    'aria-invalid': isWrong,
    'aria-required': field.required,
    count: max === undefined ? undefined : { show: true, max, strategy: lengthOf },
    // The counter is useful near the limit; otherwise it appears only on focus.
    className: max !== undefined && lengthOf(textOf(value)) < max * nearLimit ? 'far-from-limit' : undefined,
  } as const;
};

/** Few options are radio buttons, more are a select. */
const ChoiceControl = ({ id, field, value, onChange, isWrong }: PlainProps) => {
  const options = (field.options ?? []).map((o) => ({ value: o.id, label: t(o.label) }));
  return options.length <= maxRadioOptions ? (
    <RadioGroup id={id} aria-label={t(field.label)} value={value} options={options} onChange={(e) => onChange(e.target.value)} />
  ) : (
    <AntdSelect
      id={id}
      value={options.find((o) => o.value === value)?.value}
      options={options}
      onChange={onChange}
      placeholder={t(choose)}
      status={statusOf(isWrong)}
      required
    />
  );
};

/** Tags from a list, or typed. */
const TagsControl = ({ id, field, value, onChange, isWrong }: PlainProps) => {
  const tags = Array.isArray(value) ? value.map(String) : [];
  return field.options ? (
    <fieldset id={id} className="checks" aria-label={t(field.label)} aria-describedby={describedBy(id, isWrong)}>
      <CheckList items={field.options.map((o) => ({ name: String(o.id), label: t(o.label) }))} chosen={tags} onChange={onChange} />
    </fieldset>
  ) : (
    <TagBox id={id} value={tags} options={[]} onChange={onChange} placeholder={t(typeTags)} status={statusOf(isWrong)} />
  );
};

/** The control for a kind of field. */
export const Control = ({ id, field, value, onChange, scope, isWrong, excluded }: ControlProps) => {
  const status = statusOf(isWrong);
  const line = lineOf({ id, field, value, isWrong });
  // A password is not trimOnBlur: it can start with a space.
  const typed = {
    onChange: (e: { target: { value: string } }) => onChange(e.target.value),
    onBlur: trimOnBlur(value, onChange),
  };
  if (field.suggest !== undefined)
    return <ComboBox id={id} field={field} value={value} scope={scope} onChange={onChange} status={status} />;
  switch (field.kind) {
    case 'long':
      return <TextArea {...line} {...typed} autoSize={{ minRows: 2, maxRows: 6 }} />;
    case 'password':
      return <PasswordInput {...line} onChange={typed.onChange} autoComplete="new-password" />;
    case 'bool':
      return <Switch id={id} checked={value === true || value === 1} onChange={onChange} />;
    case 'choice':
      return <ChoiceControl id={id} field={field} value={value} onChange={onChange} isWrong={isWrong} />;
    case 'option':
      return (
        <OptionSelect
          id={id}
          lookup={field.lookup ?? ''}
          params={narrowing(field, scope)}
          value={number(value)}
          onChange={onChange}
          status={status}
          excluded={excluded}
          empty={field.empty}
        />
      );
    case 'options':
      return <TransferField id={id} lookup={field.lookup ?? ''} params={narrowing(field, scope)} value={value} onChange={onChange} />;
    case 'time':
    case 'date':
      return <TimeControl id={id} field={field} value={value} onChange={onChange} isWrong={isWrong} />;
    case 'protocols':
      return (
        <Suspense fallback={<Input disabled />}>
          <ProtocolSelect id={id} value={value} onChange={onChange} status={status} />
        </Suspense>
      );
    case 'tags':
      return <TagsControl id={id} field={field} value={value} onChange={onChange} isWrong={isWrong} />;
    case 'color':
      return (
        <ColorInput
          id={id}
          value={textOf(value)}
          pickerLabel={t(chooseColor)}
          status={status}
          describedBy={describedBy(id, isWrong)}
          onChange={onChange}
        />
      );
    case 'file':
      return <Upload id={id} rule={field.upload} value={value} isWrong={isWrong} onChange={onChange} />;
    case 'speed': {
      const shown = typeof value === 'number' ? String(value * kilobits) : textOf(value);
      const put = (e: { target: { value: string } }) => onChange(speedOf(e.target.value));
      return <Input {...line} value={shown} onChange={put} autoComplete="off" inputMode="numeric" />;
    }
    default:
      return (
        <Input
          {...line}
          {...typed}
          autoComplete="off"
          inputMode={field.kind === 'int' ? 'numeric' : field.kind === 'money' ? 'decimal' : undefined}
        />
      );
  }
};
