import { Select } from 'antd';

interface AntdSelectProps<V> {
  readonly id?: string;
  readonly value: V | undefined;
  readonly options: readonly { readonly value: V; readonly label: string }[];
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
  ...rest
}: AntdSelectProps<V>) => (
  <Select<V>
    {...rest}
    aria-label={label}
    options={options.map((o) => ({ value: o.value, label: o.label }))}
    onChange={(next) => onChange(next)}
    allowClear={!required}
    {...(emptyText !== undefined && { notFoundContent: emptyText })}
    showSearch={searchable ? (onSearch ? { filterOption: false, onSearch } : { optionFilterProp: 'label' }) : false}
    style={{ width }}
  />
);
