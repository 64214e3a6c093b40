import { Select } from 'antd';
import { Themed } from '../theme/themed.tsx';
import { RichLabel, RichOption, type RichText } from './rich-option.tsx';

interface SelectOption<V> {
  readonly value: V;
  readonly label: string;
  /** Shown in place of the label, which is searched. */
  readonly rich?: RichText | undefined;
}

interface AntdSelectProps<V> {
  readonly id?: string;
  readonly value: V | undefined;
  readonly options: readonly SelectOption<V>[];
  readonly onChange: (value: V | undefined) => void;
  readonly placeholder?: string;
  readonly label?: string;
  readonly width?: string;
  readonly status?: 'error' | undefined;
  readonly required?: boolean;
  readonly searchable?: boolean;
  readonly loading?: boolean;
  readonly open?: boolean | undefined;
  /** Reason why there are no options. */
  readonly emptyText?: string | undefined;
  /** Takes the focus on mount, and opens. */
  readonly isFocused?: boolean;
  readonly isOpened?: boolean;
  readonly onFocus?: () => void;
  readonly onBlur?: () => void;
  /** Called with the input if the caller searches the options. */
  readonly onSearch?: ((typed: string) => void) | undefined;
}

/** A single select with full width. */
export const AntdSelect = <V extends string | number>({
  options,
  onChange,
  label,
  width = '100%',
  required = false,
  searchable = false,
  emptyText,
  onSearch,
  isFocused = false,
  isOpened = false,
  ...rest
}: AntdSelectProps<V>) => (
  <Themed>
    <Select<V, SelectOption<V>>
      {...rest}
      aria-label={label}
      options={options.map((o) => ({ value: o.value, label: o.label, rich: o.rich }))}
      optionRender={({ data, label: text }) => (data.rich ? <RichOption {...data.rich} /> : text)}
      labelRender={({ value, label: text }) => {
        const rich = options.find((o) => o.value === value)?.rich;
        return rich ? <RichLabel {...rich} /> : text;
      }}
      onChange={(next) => onChange(next)}
      autoFocus={isFocused}
      defaultOpen={isOpened}
      allowClear={!required}
      {...(emptyText !== undefined && { notFoundContent: emptyText })}
      showSearch={searchable ? (onSearch ? { filterOption: false, onSearch } : { optionFilterProp: 'label' }) : false}
      style={{ width }}
    />
  </Themed>
);
