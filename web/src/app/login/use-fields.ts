import { check } from '@farlink/contract/kit/check.ts';
import type { Field } from '@farlink/contract/kit/field.ts';
import { useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { usePasswordRule } from '../../kit/form/password-rule.ts';

/** Values and errors of a small form with contract rules. A field is checked on blur, the whole form on submit. */
export const useFields = <N extends string>(fields: Readonly<Record<N, Field>>, initial: Readonly<Record<N, string>>) => {
  const passwordRule = usePasswordRule();
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});

  const refusals = (all: Readonly<Record<N, string>>) =>
    Object.fromEntries(Object.entries(check(fields, all, { passwordRule }).errors).map(([name, text]) => [name, t(text)]));

  const refuse = (name: string, text: string | undefined) =>
    setErrors(({ [name]: _, ...rest }) => (text === undefined ? rest : { ...rest, [name]: text }));

  const set = (name: N, value: string) => {
    setValues((old) => ({ ...old, [name]: value }));
    refuse(name, undefined);
  };

  const leave = (name: N) => {
    if (values[name] === '') return;
    const all = fields[name].kind === 'password' ? values : { ...values, [name]: values[name].trim() };
    setValues(all);
    refuse(name, refusals(all)[name]);
  };

  /** Checks all fields except `except`; true: valid. */
  const validate = (except: readonly N[] = []): boolean => {
    const found = refusals(values);
    for (const name of except) delete found[name];
    setErrors(found);
    return Object.keys(found).length === 0;
  };

  return { values, errors, set, leave, validate, refuse: setErrors };
};
