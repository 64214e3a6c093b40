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

/** First the error that a person reads first: scrolled to, and ready to be mended. */
export const goTo = (id: string) => {
  const found = document.getElementById(id);
  const target = found?.matches(typed) ? found : found?.querySelector<HTMLElement>(typed);
  target?.scrollIntoView({ block: 'center' });
  target?.focus();
};

/** Sends a form. `key` names the attempt: the call that it makes carries it. */
export type Submit = (values: Values, key: string) => Promise<void>;

interface Sending {
  /** Its controls have the ids `id-name`. */
  readonly id: string;
  readonly fields: Fields;
  readonly state: FormState;
  /** An edit that changes nothing is refused (spec §5). */
  readonly isEdit?: boolean | undefined;
  readonly onSubmit: Submit;
}

/** Judges a form, sends it, and puts what the server refuses at its field. */
export const useSubmit = ({ id, fields, state, isEdit, onSubmit }: Sending) => {
  const [busy, setBusy] = useState(false);
  const [key, setKey] = useState(newKey);
  const goToFirst = (errors: Refusals) => goTo(`${id}-${Object.keys(fields).find((name) => name in errors)}`);
  const submit = async () => {
    if (busy) return;
    const validation = state.validate();
    if ('errors' in validation) return goToFirst(validation.errors);
    if (isEdit && state.unchanged) return notify.warning(t(refusals.unchanged.text));
    setBusy(true);
    try {
      await onSubmit(validation.values, key);
      // A refusal keeps the key, because the server forgot it; a lost answer keeps it, because the server may not have.
      setKey(newKey());
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      state.refuse(error.fields);
      goToFirst(error.fields);
    } finally {
      setBusy(false);
    }
  };
  return { busy, submit };
};
