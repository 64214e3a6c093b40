import type { Field } from '@farlink/contract/kit/field.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { lazy, type ReactNode, Suspense } from 'react';
import { FieldFrame } from '../../ui/native/field-frame.tsx';
import { t } from '../chrome/lang.ts';
import { FieldText } from '../list/field-text.tsx';
import { Control } from './control.tsx';
import { useOptions } from './options.ts';
import type { FormState } from './use-form.ts';

const ItemsControl = lazy(() => import('./items-control.tsx'));

interface FieldRowProps {
  readonly id: string;
  readonly name: string;
  readonly field: Field;
  readonly form: FormState;
  readonly scope: Values;
  /** Id of the record, which cannot be its own parent. */
  readonly self: unknown;
  /** Note below the control. */
  readonly note?: ReactNode;
}

interface EchoTextProps {
  readonly name: string;
  readonly field: Field;
  readonly chosen: unknown;
  readonly lookup: string;
}

const EchoText = ({ name, field, chosen, lookup }: EchoTextProps) => {
  const { items } = useOptions(lookup);
  return <FieldText field={field} value={items.find((item) => item.value === Number(chosen))?.more?.[name]} scope={{}} />;
};

/** One field of a form: label, control and error; or its value if read-only. */
export const FieldRow = ({ id, name, field, form, scope, self, note }: FieldRowProps) => {
  const value = form.values[name];
  const error = form.errors[name];
  if (field.readonly) {
    return (
      <div className="field" data-kind={field.kind}>
        <span className="field-label">{t(field.label)}</span>
        <div className="plain">
          {field.echo ? (
            <EchoText name={name} field={field} chosen={form.values[field.echo.of]} lookup={field.echo.lookup} />
          ) : (
            <FieldText field={field} value={value} scope={scope} />
          )}
        </div>
      </div>
    );
  }
  const put = (next: unknown) => form.put({ [name]: next });
  // Other form values also narrow the options.
  const control = { id, field, value, onChange: put, scope: { ...form.values, ...scope }, isWrong: error !== undefined };
  return (
    <FieldFrame
      id={id}
      kind={field.kind}
      label={t(field.label)}
      tips={field.tips && t(field.tips)}
      needed={field.required || field.requiredWhen?.(form.values) === true}
      error={error}
      // Nested rows are checked together on submit.
      onLeave={() => field.kind !== 'items' && form.leave(name)}
    >
      {field.kind === 'items' ? (
        <Suspense>
          <ItemsControl {...control} />
        </Suspense>
      ) : (
        <Control {...control} excluded={name === 'parent_id' && typeof self === 'number' ? self : undefined} />
      )}
      {note}
    </FieldFrame>
  );
};
