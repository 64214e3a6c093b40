import { check, isEmpty } from '@farlink/contract/kit/check.ts';
import type { Fields } from '@farlink/contract/kit/field.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { useState } from 'react';
import { afterPointerUp } from '../actions/after-pointer-up.ts';
import { t } from '../chrome/lang.ts';
import { isShown, isUnchanged } from './form-values.ts';
import { usePasswordRule } from './password-rule.ts';

export type Refusals = Readonly<Record<string, string>>;

export interface FormState {
  readonly values: Values;
  readonly errors: Refusals;
  readonly unchanged: boolean;
  readonly put: (patch: Values) => void;
  /** Sets values without marking the form as changed. */
  readonly fill: (patch: Values) => void;
  /** The operator has left this field, so its error can be shown. */
  readonly leave: (name: string) => void;
  /** Shows the errors of the server until their fields change. */
  readonly refuse: (errors: Refusals) => void;
  /** Checks the whole form and returns the errors, or the values to send. */
  readonly validate: () => { readonly errors: Refusals } | { readonly values: Values };
}

/** `start` are the initial values; `beside` are values outside the form that rules can compare with (a row's name). */
export const useForm = (fields: Fields, start: Values, otherValues: Values): FormState => {
  const env = { passwordRule: usePasswordRule() };
  const [values, setValues] = useState(start);
  const [first, setFirst] = useState(start);
  const [touched, setTouched] = useState<readonly string[]>([]);
  const [served, setServed] = useState<Refusals>({});

  const checked = check(fields, { ...otherValues, ...values }, env);
  const broken: Refusals = Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const refusal = checked.errors[name];
      return refusal && !field.readonly && isShown(field, values) ? [[name, t(refusal)]] : [];
    }),
  );

  return {
    values,
    errors: { ...served, ...Object.fromEntries(Object.entries(broken).filter(([name]) => touched.includes(name))) },
    unchanged: isUnchanged(fields, first, values),
    put: (patch) => {
      setValues((old) => ({ ...old, ...patch }));
      setServed((old) => Object.fromEntries(Object.entries(old).filter(([name]) => !(name in patch))));
    },
    fill: (patch) => {
      setFirst((old) => ({ ...old, ...patch }));
      setValues((old) => ({ ...old, ...patch }));
    },
    // An empty field is checked on submit: an error line that appears now would move the button.
    leave: (name) => !isEmpty(values[name]) && afterPointerUp(() => setTouched((old) => (old.includes(name) ? old : [...old, name]))),
    refuse: setServed,
    validate: () => {
      setTouched(Object.keys(fields));
      return Object.keys(broken).length > 0 ? { errors: broken } : { values: checked.values };
    },
  };
};
