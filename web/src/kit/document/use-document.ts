import { isEmpty } from '@farlink/contract/kit/check.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayFields } from '@farlink/gateway/kit/field.ts';
import { useState } from 'react';
import { valueAt } from '../../ui/format.ts';
import { afterPointerUp } from '../actions/after-pointer-up.ts';
import { type PathErrors, type Validation, validateDocument } from './validate-document.ts';

export interface DocumentState extends Validation {
  /** Errors of fields that were left; all errors after `showAll`. */
  readonly shown: PathErrors;
  readonly leave: (path: string) => void;
  readonly showAll: () => void;
}

const never = () => false;
const nothing: PathErrors = {};

/** Whether an error belongs to a field that was left, or to a row in it. */
const belongs = (path: string, touched: ReadonlySet<string>) => {
  for (const each of touched) if (path === each || path.startsWith(`${each}[`) || path.startsWith(`${each}.`)) return true;
  return false;
};

/** Validates the values of a document on input. `served` are errors of the server, which stay until their field changes. */
export const useDocument = (
  fields: GatewayFields,
  values: Values,
  isKept: (path: string) => boolean = never,
  served: PathErrors = nothing,
): DocumentState => {
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const validation = validateDocument(fields, values, isKept);
  const own = isAll ? validation.errors : Object.fromEntries(Object.entries(validation.errors).filter(([path]) => belongs(path, touched)));
  return {
    ...validation,
    shown: { ...served, ...own },
    // An empty field is checked on submit: an error line that appears now would move the clicked element.
    leave: (path) => {
      if (!isEmpty(valueAt(values, path))) afterPointerUp(() => setTouched((old) => (old.has(path) ? old : new Set([...old, path]))));
    },
    showAll: () => setAll(true),
  };
};
