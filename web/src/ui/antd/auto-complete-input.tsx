import { AutoComplete } from 'antd';
import { Themed } from '../theme/themed.tsx';

interface AutoCompleteInputProps {
  readonly id: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
  readonly placeholder: string;
  readonly status?: 'error' | undefined;
}

/** A text that is entered, or chosen from the suggestions. */
const AutoCompleteInput = ({ options, value, ...rest }: AutoCompleteInputProps) => (
  <Themed>
    <AutoComplete
      {...rest}
      value={value}
      options={options.map((o) => ({ value: o.value, label: o.label }))}
      // The input filters the suggestions; empty input shows all.
      showSearch={{ filterOption: (typed, option) => option?.value.includes(typed.trim()) === true }}
      style={{ width: '100%' }}
    />
  </Themed>
);
export default AutoCompleteInput;
