import { errors } from '@farlink/contract/errors.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { initialValues } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { useEffect, useId, useState } from 'react';
import { notify } from '../../../kit/chrome/notify.tsx';
import { controlId } from '../../../kit/document/document-context.ts';
import { useDocument } from '../../../kit/document/use-document.ts';
import type { PathErrors } from '../../../kit/document/validate-document.ts';
import { focusControl } from '../../../kit/form/use-submit.ts';
import { CallError } from '../../../kit/net/call.ts';
import { useEdits } from '../apply/edits.ts';

const none: PathErrors = {};
const dayS = 86_400;

/** A required time range starts with the last 24 hours. */
const startValues = (page: GatewayPage): Values => {
  const isRange = page.fields.from_time?.kind === 'time' && page.fields.to_time?.kind === 'time';
  const now = Math.floor(Date.now() / 60_000) * 60;
  return { ...initialValues(page.fields), ...(isRange && { from_time: now - dayS, to_time: now }) };
};

/** Values of a page without stored content: validated on input, and by the server on submit. */
export const useValues = (page: GatewayPage, initial: Values = {}) => {
  const id = useId();
  const { inputs } = useEdits();
  const [start] = useState<Values>(() => inputs.get(page.key) ?? { ...startValues(page), ...initial });
  const [values, setValues] = useState(start);
  // The input is kept while other pages are open; a confirmation must be given again.
  useEffect(() => {
    if (values !== start) inputs.set(page.key, page.fields.confirm ? { ...values, confirm: false } : values);
  }, [inputs, page, values, start]);
  const [served, setServed] = useState<PathErrors>(none);
  const [isBusy, setBusy] = useState(false);
  const state = useDocument(page.fields, values, undefined, served);
  const put = (patch: Values) => {
    setValues((old) => ({ ...old, ...patch }));
    setServed((old) =>
      Object.fromEntries(Object.entries(old).filter(([path]) => !Object.keys(patch).some((name) => path.startsWith(name)))),
    );
  };
  const firstOf = (wrong: PathErrors) => Object.keys(page.fields).find((name) => Object.keys(wrong).some((path) => path.startsWith(name)));
  /** Sends valid values; returns the first invalid field. Errors without a field are notified. */
  const send = async (act: (values: Values) => Promise<unknown>): Promise<string | undefined> => {
    state.showAll();
    const wrong = firstOf(state.errors);
    if (wrong !== undefined) {
      focusControl(controlId({ id }, wrong));
      return wrong;
    }
    setBusy(true);
    try {
      await act(state.doc);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.code !== errors.bad_input.code) notify.error(error.message);
      setServed(error.fields);
      const refused = firstOf(error.fields);
      if (refused !== undefined) focusControl(controlId({ id }, refused));
      return refused;
    } finally {
      setBusy(false);
    }
    return undefined;
  };
  return { id, values, put, set: setValues, state, served, send, isBusy };
};
