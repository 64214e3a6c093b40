import { errors as refusals } from '@farlink/contract/errors.ts';
import type { Field, Values } from '@farlink/contract/kit/field.ts';
import type { Form } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { lazy, Suspense, useEffect, useId, useState } from 'react';
import { Button } from '../ui/button.ts';
import { FieldFrame } from '../ui/field-frame.tsx';
import { tips } from '../ui/tip.ts';
import { CallError } from './call.ts';
import { Control } from './control.tsx';
import { useCloseGuard } from './dialog.tsx';
import '../ui/form.css';
import { FieldText } from './field-text.tsx';
import { isShown } from './form-values.ts';
import { t } from './lang.ts';
import { confirm, notify } from './notify.tsx';
import { type FormState, useForm } from './use-form.ts';

const GrantEditor = lazy(() => import('./grant-editor.tsx'));

const words = {
  cancel: ['取消', 'Cancel'],
  submit: ['确定', 'Confirm'],
  discard: ['有未保存的修改，确定放弃吗？', 'There are unsaved changes. Discard them?'],
} as const satisfies Record<string, Text>;

interface RecordFormProps {
  readonly form: Form;
  readonly start: Values;
  readonly beside?: Values;
  readonly scope?: Values;
  /** An edit that changes nothing is refused (spec §5). */
  readonly isEdit?: boolean;
  readonly danger?: boolean;
  readonly onSubmit: (values: Values) => Promise<void>;
  readonly onCancel: () => void;
}

/** First the error that a person reads first: scrolled to, and ready to be mended. */
const goTo = (id: string) => {
  const found = document.getElementById(id);
  const target = found?.matches('input, textarea, button') ? found : found?.querySelector<HTMLElement>('input, textarea, button');
  target?.scrollIntoView({ block: 'center' });
  target?.focus();
};

interface RowProps {
  readonly id: string;
  readonly name: string;
  readonly field: Field;
  readonly form: FormState;
  readonly scope: Values;
  /** The record itself: it cannot stand below itself. */
  readonly self: unknown;
}

const FieldRow = ({ id, name, field, form, scope, self }: RowProps) => {
  const value = form.values[name];
  const error = form.errors[name];
  if (field.readonly) {
    return (
      <div className="field">
        <span className="field-label">{t(field.label)}</span>
        <div className="plain">
          <FieldText field={field} value={value} scope={scope} />
        </div>
      </div>
    );
  }
  return (
    <FieldFrame
      id={id}
      label={t(field.label)}
      tips={field.tips && t(field.tips)}
      needed={field.required || field.requiredWhen?.(form.values) === true}
      error={error}
      onLeave={() => form.leave(name)}
    >
      <Control
        id={id}
        field={field}
        value={value}
        onChange={(next) => form.put({ [name]: next })}
        scope={scope}
        isWrong={error !== undefined}
        barred={name === 'parent_id' && typeof self === 'number' ? self : undefined}
      />
    </FieldFrame>
  );
};

/** Where there are grants, these two switches belong to their editor. */
const switches = ['read_all', 'write_all'];

export const RecordForm = ({ form, start, beside = {}, scope = {}, isEdit, danger, onSubmit, onCancel }: RecordFormProps) => {
  const id = useId();
  const state = useForm(form.fields, start, beside);
  const [busy, setBusy] = useState(false);
  const grants = Object.entries(form.fields).filter(([, field]) => field.kind === 'grants');
  const rows = Object.entries(form.fields).filter(
    ([name, field]) => isShown(field, state.values) && field.kind !== 'grants' && !(grants.length > 0 && switches.includes(name)),
  );
  const first = (errors: Readonly<Record<string, string>>) => Object.keys(form.fields).find((name) => name in errors);

  const submit = async () => {
    const verdict = state.judge();
    if ('errors' in verdict) return goTo(`${id}-${first(verdict.errors)}`);
    if (isEdit && state.unchanged) return notify.warning(t(refusals.unchanged.text));
    setBusy(true);
    try {
      await onSubmit(verdict.values);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      state.refuse(error.fields);
      goTo(`${id}-${first(error.fields)}`);
    } finally {
      setBusy(false);
    }
  };

  // Ready to type as soon as it stands there.
  const opening = rows.find(([, field]) => !field.readonly)?.[0];
  useEffect(() => goTo(`${id}-${opening}`), [id, opening]);

  const mayLeave = async () => state.unchanged || (await confirm(words.discard));
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
        if (!busy) void submit();
      }}
      {...tips}
    >
      <div className="fields">
        {rows.map(([name, field]) => (
          <FieldRow key={name} id={`${id}-${name}`} name={name} field={field} form={state} scope={scope} self={beside.id} />
        ))}
        {grants.length > 0 && (
          <Suspense>
            <GrantEditor id={id} fields={Object.fromEntries(grants)} form={state} />
          </Suspense>
        )}
      </div>
      <div className="dialog-foot">
        <span className="spring" />
        <Button onClick={() => void cancel()}>{t(words.cancel)}</Button>
        <Button type="primary" htmlType="submit" danger={danger === true} loading={busy}>
          {t(words.submit)}
        </Button>
      </div>
    </form>
  );
};
