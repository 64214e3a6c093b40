import type { Values } from '@farlink/contract/kit/values.ts';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { PathErrors } from '../../../kit/document/validate-document.ts';

/** What somebody is making of a page: typed, perhaps not well yet, perhaps saved as a draft already. */
export interface Edit {
  readonly raw: Values;
  readonly state: 'edited' | 'saving' | 'saved';
  /** Nothing stands against saving it. */
  readonly isWell: boolean;
  /** What the server refused of it. */
  readonly served: PathErrors;
  /** It did not reach the server: nobody has said a word against it. */
  readonly isCut: boolean;
}

/** The works of one device, by page: whoever looks at another page meanwhile finds them as they were left. */
export const makeEdits = () => {
  const all = new Map<string, Edit>();
  const watchers = new Set<() => void>();
  const asked = new Map<string, Values>();
  let isHeld = false;
  const savers = new Set<() => Promise<void>>();
  const tell = () => {
    for (const each of watchers) each();
  };
  return {
    watch: (hear: () => void) => {
      watchers.add(hear);
      return () => void watchers.delete(hear);
    },
    /** The page that is open saves when it is asked to. */
    onFlush: (save: () => Promise<void>) => {
      savers.add(save);
      return () => void savers.delete(save);
    },
    flush: async () => void (await Promise.all([...savers].map((save) => save()))),
    /** What was filled in on pages that keep nothing themselves: guides, actions. */
    asked,
    /** The form of a row has something that is kept nowhere else. */
    hold: (on: boolean) => {
      isHeld = on;
    },
    isHeld: () => isHeld,
    get: (page: string): Edit | undefined => all.get(page),
    put: (page: string, pageEdit: Edit) => {
      all.set(page, pageEdit);
      tell();
    },
    drop: (page?: string) => {
      if (page === undefined) all.clear();
      else all.delete(page);
      tell();
    },
    /** Something is still on its way to be saved. */
    isPending: () => [...all.values()].some(({ state }) => state !== 'saved'),
    /** Pages of which something cannot be saved, in one word, so that the same is the same. */
    unsaved: () =>
      [...all]
        .filter(([, { state, isWell, isCut, served }]) => state !== 'saved' && (!isWell || isCut || Object.keys(served).length > 0))
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
