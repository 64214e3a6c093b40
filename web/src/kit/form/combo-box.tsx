import type { Field } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { lazy, Suspense } from 'react';
import { AntdSelect } from '../../ui/antd/select.tsx';
import { TagBox } from '../../ui/antd/tag-box.tsx';
import { t } from '../chrome/lang.ts';
import { choose } from './option-select.tsx';
import { narrowing, useSuggestions } from './options.ts';

const AutoCompleteInput = lazy(() => import('../../ui/antd/auto-complete-input.tsx'));

const chooseOrType: Text = ['请选择或输入', 'Select or type'];

interface ComboBoxProps {
  readonly id: string;
  readonly field: Field;
  readonly value: unknown;
  readonly scope: Values;
  readonly onChange: (value: unknown) => void;
  readonly status?: 'error' | undefined;
}

/** Suggestions of a call: one of them, or several with free input. */
export const ComboBox = ({ id, field, value, scope, onChange, status }: ComboBoxProps) => {
  const { suggestions, loading } = useSuggestions(field.suggest, narrowing(field, scope));
  if (field.typed)
    return (
      <Suspense>
        <AutoCompleteInput
          id={id}
          value={typeof value === 'string' ? value : ''}
          options={suggestions}
          onChange={onChange}
          placeholder={t(chooseOrType)}
          status={status}
        />
      </Suspense>
    );
  if (field.kind !== 'tags') {
    const chosen = typeof value === 'string' && value !== '' ? value : undefined;
    return (
      <AntdSelect
        id={id}
        value={chosen}
        options={suggestions}
        onChange={onChange}
        placeholder={t(choose)}
        status={status}
        loading={loading}
        emptyText={loading ? undefined : field.empty && t(field.empty)}
        searchable
      />
    );
  }
  const tags = Array.isArray(value) ? value.map(String) : [];
  return (
    <TagBox
      id={id}
      value={tags}
      options={suggestions}
      onChange={onChange}
      placeholder={t(chooseOrType)}
      status={status}
      loading={loading}
    />
  );
};
