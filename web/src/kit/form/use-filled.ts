import type { Values } from '@farlink/contract/kit/values.ts';
import { useEffect, useRef } from 'react';
import type { FormState } from './use-form.ts';

/**
 * Fills fields with each new response, unless the operator has changed them. A filled field that the response lacks is emptied. One that is
 * sent with the next request (`sent`) stays: emptying it would request again, without end.
 */
export const useFilled = (form: Pick<FormState, 'values' | 'fill'>, values: Values, sent: Values = {}) => {
  const filled = useRef<Values>({});
  const taken = useRef<Values>({});
  useEffect(() => {
    if (taken.current === values) return;
    taken.current = values;
    const stale = Object.keys(filled.current).filter((name) => !(name in values) && !(name in sent));
    const patch = [...Object.entries(values), ...stale.map((name) => [name, ''] as const)].filter(([name, value]) => {
      const now = form.values[name];
      return value !== now && (now === undefined || now === null || now === '' || now === filled.current[name]);
    });
    if (patch.length === 0) return;
    filled.current = { ...filled.current, ...Object.fromEntries(patch) };
    form.fill(Object.fromEntries(patch));
  });
};
