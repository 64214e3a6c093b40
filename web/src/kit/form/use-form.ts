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
  /** Changes values that the operator did not: the form counts as untouched. */
  readonly fill: (patch: Values) => void;
  /** The operator has left this field: from now on it may be judged. */
  readonly leave: (name: string) => void;
  /** The server's refusals, each at its field until that field is changed. */
  readonly refuse: (errors: Refusals) => void;
  /** Judges everything at once and answers the refusals, or what may be sent. */
  readonly validate: () => { readonly errors: Refusals } | { readonly values: Values };
}

/** `start` are the first values; `beside` is what rules may compare with although the form does not hold it (a row's name). */
export const useForm = (fields: Fields, start: Values, beside: Values): FormState => {
  const env = { passwordRule: usePasswordRule() };
  const [values, setValues] = useState(start);
  const [first, setFirst] = useState(start);
  const [left, setLeft] = useState<readonly string[]>([]);
  const [served, setServed] = useState<Refusals>({});

  const checked = check(fields, { ...beside, ...values }, env);
  const broken: Refusals = Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const refusal = checked.errors[name];
      return refusal && !field.readonly && isShown(field, values) ? [[name, t(refusal)]] : [];
    }),
  );

  return {
    values,
    errors: { ...served, ...Object.fromEntries(Object.entries(broken).filter(([name]) => left.includes(name))) },
    unchanged: isUnchanged(fields, first, values),
    put: (patch) => {
      setValues((old) => ({ ...old, ...patch }));
      setServed((old) => Object.fromEntries(Object.entries(old).filter(([name]) => !(name in patch))));
    },
    fill: (patch) => {
      setFirst((old) => ({ ...old, ...patch }));
      setValues((old) => ({ ...old, ...patch }));
    },
    // An empty field is judged when the form is sent: a line that appears under the pointer would move the button away.
    leave: (name) => !isEmpty(values[name]) && afterPointerUp(() => setLeft((old) => (old.includes(name) ? old : [...old, name]))),
    refuse: setServed,
    validate: () => {
      setLeft(Object.keys(fields));
      return Object.keys(broken).length > 0 ? { errors: broken } : { values: checked.values };
    },
  };
};
