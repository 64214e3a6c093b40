import type { FollowUp, Form } from '@farlink/contract/kit/page.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { lazy, type ReactNode, Suspense, useEffect, useId } from 'react';
import { tips } from '../../ui/browser/tip.ts';
import { Button } from '../../ui/native/button.tsx';
import { useCloseGuard } from './dialog.tsx';
import '../../ui/styles/form.css';
import { t } from '../chrome/lang.ts';
import { FieldRow } from './field-row.tsx';
import { isShown } from './form-values.ts';
import { type FormState, useForm } from './use-form.ts';
import { mayDiscard, useLeaveGuard } from './use-leave-guard.ts';
import { focusControl, type Submit, useSubmit } from './use-submit.ts';

const FormPreview = lazy(async () => ({ default: (await import('./form-preview.tsx')).FormPreview }));
const GrantEditor = lazy(() => import('../grants/grant-editor.tsx'));

const texts = {
  cancel: ['取消', 'Cancel'],
  submit: ['确定', 'Confirm'],
} as const satisfies Record<string, Text>;

interface RecordFormProps {
  readonly form: Form;
  readonly start: Values;
  readonly otherValues?: Values;
  readonly scope?: Values;
  /** An edit without changes is refused (spec §5). */
  readonly isEdit?: boolean;
  readonly danger?: boolean;
  readonly follow?: Pick<FollowUp, 'label' | 'saveOnly'> | undefined;
  /** The rows of the form, for its preview. */
  readonly ids?: readonly number[];
  /** Below a file field: the upload progress. */
  readonly fileNote?: ReactNode;
  /** Below other fields, by name: a button that fills the field, or an explanation. */
  readonly notes?: Readonly<Record<string, (form: FormState) => ReactNode>>;
  readonly onSubmit: Submit;
  readonly onCancel: () => void;
}

/** In a form with grants, these two switches belong to the grant editor. */
const switches = ['read_all', 'write_all'];

export const RecordForm = ({
  form,
  start,
  otherValues = {},
  scope = {},
  isEdit,
  danger,
  follow,
  ids,
  fileNote,
  notes = {},
  onSubmit,
  onCancel,
}: RecordFormProps) => {
  const id = useId();
  const state = useForm(form.fields, start, otherValues);
  const { busy, submit } = useSubmit({ id, fields: form.fields, state, isEdit, onSubmit });
  // The record and the current form values can narrow a lookup: roles for the chosen VNO.
  const known = { ...otherValues, ...state.values, ...scope };
  const grants = Object.entries(form.fields).filter(([, field]) => field.kind === 'grants');
  const rows = Object.entries(form.fields).filter(
    ([name, field]) => isShown(field, state.values) && field.kind !== 'grants' && !(grants.length > 0 && switches.includes(name)),
  );

  // Focuses the first editable field.
  const opening = rows.find(([, field]) => !field.readonly)?.[0];
  useEffect(() => focusControl(`${id}-${opening}`), [id, opening]);

  const mayLeave = async () => state.unchanged || (await mayDiscard());
  // A form that is being sent can be left without a question.
  useLeaveGuard(() => !state.unchanged && !busy);
  useCloseGuard(mayLeave);
  const cancel = async () => {
    if (await mayLeave()) onCancel();
  };

  return (
    <form
      className="record-form"
      noValidate
      onSubmit={(e) => {
        e.preventDefault();
        void submit();
      }}
      {...tips}
    >
      <div className="fields">
        {rows.map(([name, field]) => (
          <FieldRow
            key={name}
            id={`${id}-${name}`}
            name={name}
            field={field}
            form={state}
            scope={known}
            self={otherValues.id}
            note={notes[name]?.(state) ?? (field.kind === 'file' && fileNote)}
          />
        ))}
        {grants.length > 0 && (
          <Suspense>
            <GrantEditor id={id} fields={Object.fromEntries(grants)} form={state} />
          </Suspense>
        )}
      </div>
      <div className="form-end">
        {form.preview && (
          <Suspense>
            <FormPreview call={form.preview} form={state} ids={ids} />
          </Suspense>
        )}
        <div className="dialog-foot">
          <span className="spring" />
          <Button onClick={() => void cancel()}>{t(texts.cancel)}</Button>
          {follow && (
            <Button disabled={busy} onClick={() => void submit(true)}>
              {t(follow.saveOnly)}
            </Button>
          )}
          <Button kind="primary" type="submit" danger={danger === true} loading={busy}>
            {t(follow?.label ?? texts.submit)}
          </Button>
        </div>
      </div>
    </form>
  );
};
