import { AutoComplete } from 'antd';

interface TypedChoiceProps {
  readonly id: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
  readonly placeholder: string;
  readonly status?: 'error' | undefined;
}

/** A text that is typed, or taken from what is offered below. */
const TypedChoice = ({ options, value, ...rest }: TypedChoiceProps) => (
  <AutoComplete
    {...rest}
    value={value}
    options={options.map((o) => ({ value: o.value, label: o.label }))}
    // Whoever types narrows the choice by what it is called; nothing typed shows all.
    showSearch={{ filterOption: (typed, option) => option?.value.includes(typed.trim()) === true }}
    style={{ width: '100%' }}
  />
);
export default TypedChoice;
