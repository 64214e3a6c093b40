import { isEmpty } from '@farlink/contract/kit/check.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayFields } from '@farlink/gateway/kit/field.ts';
import { useState } from 'react';
import { valueAt } from '../../ui/format.ts';
import { afterPointerUp } from '../actions/after-pointer-up.ts';
import { type PathErrors, type Validation, validateDocument } from './validate-document.ts';

export interface DocumentState extends Validation {
  /** Those of what was left, and all of them once somebody asked. */
  readonly shown: PathErrors;
  readonly leave: (path: string) => void;
  readonly showAll: () => void;
}

const never = () => false;
const nothing: PathErrors = {};

/** Whether a refusal belongs to a field that was left, or to a line of it. */
const belongs = (path: string, left: ReadonlySet<string>) => {
  for (const each of left) if (path === each || path.startsWith(`${each}[`) || path.startsWith(`${each}.`)) return true;
  return false;
};

/** Judges the values of a document as they are typed. `served` are refusals of others: they stay until their field is changed. */
export const useDocument = (
  fields: GatewayFields,
  values: Values,
  isKept: (path: string) => boolean = never,
  served: PathErrors = nothing,
): DocumentState => {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const validation = validateDocument(fields, values, isKept);
  const own = isAll ? validation.errors : Object.fromEntries(Object.entries(validation.errors).filter(([path]) => belongs(path, left)));
  return {
    ...validation,
    shown: { ...served, ...own },
    // What is still empty is asked for when it is sent: a line that appears under the pointer would move what is clicked.
    leave: (path) => {
      if (!isEmpty(valueAt(values, path))) afterPointerUp(() => setLeft((old) => (old.has(path) ? old : new Set([...old, path]))));
    },
    showAll: () => setAll(true),
  };
};
