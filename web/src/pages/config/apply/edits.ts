import type { Values } from '@farlink/contract/kit/values.ts';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { PathErrors } from '../../../kit/document/validate-document.ts';

/** Unsaved work on a page: input that may be invalid, or may already be saved as a draft. */
export interface Edit {
  readonly raw: Values;
  readonly state: 'edited' | 'saving' | 'saved';
  /** The values are valid and can be saved. */
  readonly isValid: boolean;
  /** Errors of the server. */
  readonly served: PathErrors;
  /** The request did not reach the server, so it was not refused. */
  readonly isUnsent: boolean;
}

/** Edits of one device by page. They are kept while the operator opens other pages. */
export const makeEdits = () => {
  const all = new Map<string, Edit>();
  const watchers = new Set<() => void>();
  const inputs = new Map<string, Values>();
  let isUnstored = false;
  const saveHandlers = new Set<() => Promise<void>>();
  const notify = () => {
    for (const each of watchers) each();
  };
  return {
    watch: (listener: () => void) => {
      watchers.add(listener);
      return () => void watchers.delete(listener);
    },
    /** Registers the save function of the open page. */
    onFlush: (save: () => Promise<void>) => {
      saveHandlers.add(save);
      return () => void saveHandlers.delete(save);
    },
    flush: async () => void (await Promise.all([...saveHandlers].map((save) => save()))),
    /** Input of pages without stored content: wizards and actions. */
    inputs,
    /** Set while a row form has input that is not stored elsewhere. */
    setUnstored: (on: boolean) => {
      isUnstored = on;
    },
    isUnstored: () => isUnstored,
    get: (page: string): Edit | undefined => all.get(page),
    put: (page: string, pageEdit: Edit) => {
      all.set(page, pageEdit);
      notify();
    },
    drop: (page?: string) => {
      if (page === undefined) all.clear();
      else all.delete(page);
      notify();
    },
    /** Some edits are not saved yet. */
    isPending: () => [...all.values()].some(({ state }) => state !== 'saved'),
    /** Pages with edits that cannot be saved, as one string, so that equal results are identical. */
    unsaved: () =>
      [...all]
        .filter(([, { state, isValid, isUnsent, served }]) => state !== 'saved' && (!isValid || isUnsent || Object.keys(served).length > 0))
        .map(([page]) => page)
        .sort()
        .join(','),
  };
};
export type Edits = ReturnType<typeof makeEdits>;

export const EditsContext = createContext<Edits>(makeEdits());
export const useEdits = () => useContext(EditsContext);

export const useEdit = (page: string): Edit | undefined => {
  const edits = useEdits();
  return useSyncExternalStore(edits.watch, () => edits.get(page));
};

export const useUnsaved = (edits: Edits): readonly string[] => {
  const names = useSyncExternalStore(edits.watch, edits.unsaved);
  return names === '' ? [] : names.split(',');
};
