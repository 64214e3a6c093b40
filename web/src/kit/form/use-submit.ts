import { errors as refusals } from '@farlink/contract/errors.ts';
import type { Fields } from '@farlink/contract/kit/field.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { useState } from 'react';
import { t } from '../chrome/lang.ts';
import { notify } from '../chrome/notify.tsx';
import { CallError } from '../net/call.ts';
import { newKey } from '../net/idempotency.ts';
import type { FormState, Refusals } from './use-form.ts';

const typed = 'input, select, textarea, button';

/** Scrolls to a control and focuses it. */
export const focusControl = (id: string) => {
  const found = document.getElementById(id);
  const target = found?.matches(typed) ? found : found?.querySelector<HTMLElement>(typed);
  target?.scrollIntoView({ block: 'center' });
  target?.focus();
};

/** Sends a form. `key` is the idempotency key of the attempt; `isSaveOnly`: without the action that follows. */
export type Submit = (values: Values, key: string, isSaveOnly: boolean) => Promise<void>;

interface Sending {
  /** Prefix of the control ids: `id-name`. */
  readonly id: string;
  readonly fields: Fields;
  readonly state: FormState;
  /** An edit without changes is refused (spec §5). */
  readonly isEdit?: boolean | undefined;
  readonly onSubmit: Submit;
}

/** Validates a form, sends it, and shows server errors at their fields. */
export const useSubmit = ({ id, fields, state, isEdit, onSubmit }: Sending) => {
  const [busy, setBusy] = useState(false);
  const [key, setKey] = useState(newKey);
  const focusFirstError = (errors: Refusals) => focusControl(`${id}-${Object.keys(fields).find((name) => name in errors)}`);
  const submit = async (isSaveOnly = false) => {
    if (busy) return;
    const validation = state.validate();
    if ('errors' in validation) return focusFirstError(validation.errors);
    if (isEdit && state.unchanged) return notify.warning(t(refusals.unchanged.text));
    setBusy(true);
    try {
      await onSubmit(validation.values, key, isSaveOnly);
      // A new key only after success. A refused or unanswered request keeps its key, because a retry is the same attempt.
      setKey(newKey());
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      state.refuse(error.fields);
      focusFirstError(error.fields);
    } finally {
      setBusy(false);
    }
  };
  return { busy, submit };
};
