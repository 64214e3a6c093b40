import { type ComponentProps, lazy, Suspense, useState } from 'react';
import type { AntdSelect } from './select.tsx';
import '../styles/plain-form.css';

const Select = lazy(async () => ({ default: (await import('./select.tsx')).AntdSelect<string | number> }));

type Value = string | number;

type LazySelectProps<V extends Value> = ComponentProps<typeof AntdSelect<V>> & {
  /** Loads at once, as in a form. */
  readonly isEager?: boolean;
};

/** A closed select without the component library, which is loaded when the operator opens it: most lists are read without a filter. */
export const LazySelect = <V extends Value>({ onChange, isEager = false, ...select }: LazySelectProps<V>) => {
  const [state, setState] = useState<'closed' | 'focused' | 'opened'>('closed');
  const { id, value, options, placeholder, label, onFocus } = select;
  const chosen = options.find((o) => o.value === value);
  const closed = (
    <input
      id={id}
      role="combobox"
      className="native-select"
      readOnly
      aria-expanded={false}
      aria-haspopup="listbox"
      aria-controls={id && `${id}_list`}
      aria-label={label}
      placeholder={placeholder}
      value={chosen?.label ?? ''}
      onMouseDown={() => setState('opened')}
      onFocus={() => {
        setState((old) => (old === 'closed' ? 'focused' : old));
        onFocus?.();
      }}
    />
  );
  if (state === 'closed' && !isEager) return closed;
  return (
    <Suspense fallback={closed}>
      <Select
        {...select}
        onChange={(next) => onChange(options.find((o) => o.value === next)?.value)}
        isFocused={state !== 'closed'}
        isOpened={state === 'opened'}
      />
    </Suspense>
  );
};
