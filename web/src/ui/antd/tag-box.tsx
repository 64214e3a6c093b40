import { Select } from 'antd';
import { Themed } from '../theme/themed.tsx';

interface TagBoxProps {
  readonly id: string;
  readonly value: readonly string[];
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string[]) => void;
  readonly placeholder: string;
  readonly status?: 'error' | undefined;
  readonly loading?: boolean;
}

/** Several texts: chosen from the options, or entered. Without options there is no dropdown. */
export const TagBox = ({ value, options, onChange, ...rest }: TagBoxProps) => (
  <Themed>
    <Select<string[]>
      {...rest}
      {...(options.length === 0 && !rest.loading && { open: false, suffixIcon: null })}
      mode="tags"
      value={[...value]}
      options={options.map((o) => ({ value: o.value, label: o.label }))}
      onChange={(next) => onChange(next.map((text) => text.trim()).filter(Boolean))}
      tokenSeparators={[',', '，', ';']}
      style={{ width: '100%' }}
    />
  </Themed>
);
