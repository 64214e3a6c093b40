import type { BlockKind, PortalDocument } from '@farlink/portal/document.ts';
import { useState } from 'react';
import { addBlock, duplicateBlock, moveBlock, removeBlock, setHidden } from './document-edit.ts';
import { type EditHistory, record, redo, startHistory, undo } from './edit-history.ts';

/** What the properties show: the page, its theme, or a block by its id, which never has a `#`. */
export type EditorItem = '#page' | '#theme' | (string & {});

interface State {
  readonly history: EditHistory;
  readonly chosen: EditorItem;
}

/** Selects the page if an undo removed the selected block. */
const withValidChoice = ({ history, chosen }: State): State => {
  const isThere = chosen.startsWith('#') || history.doc.blocks.some(({ id }) => id === chosen);
  return { history, chosen: isThere ? chosen : '#page' };
};

export interface Editor {
  readonly doc: PortalDocument;
  readonly chosen: EditorItem;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly choose: (item: EditorItem) => void;
  /** `field` joins the typing in one field to one step. */
  readonly edit: (change: (doc: PortalDocument) => PortalDocument, field?: string) => void;
  readonly add: (kind: BlockKind) => void;
  readonly remove: (id: string) => void;
  readonly move: (id: string, to: number, field?: string) => void;
  readonly duplicate: (id: string) => void;
  readonly hide: (id: string, hidden: boolean) => void;
  readonly undo: () => void;
  readonly redo: () => void;
}

/** After a removal the neighbour is selected, so that the focus stays in the list. */
const neighborOf = ({ blocks }: PortalDocument, id: string): EditorItem => {
  const at = blocks.findIndex((block) => block.id === id);
  return (blocks[at + 1] ?? blocks[at - 1])?.id ?? '#page';
};

export const useEditor = (start: PortalDocument): Editor => {
  const [state, setState] = useState<State>(() => ({ history: startHistory(start), chosen: '#page' }));
  const step = (change: (state: State) => State) => setState((old) => withValidChoice(change(old)));
  const edit: Editor['edit'] = (change, field) =>
    step(({ history, chosen }) => ({ history: record(history, change(history.doc), Date.now(), field), chosen }));
  /** For edits that also choose the new block. */
  const editAndChoose = (
    make: (doc: PortalDocument, chosen: EditorItem) => { readonly doc: PortalDocument; readonly id: string } | undefined,
  ) =>
    step((old) => {
      const made = make(old.history.doc, old.chosen);
      return made ? { history: record(old.history, made.doc, Date.now()), chosen: made.id } : old;
    });
  return {
    doc: state.history.doc,
    chosen: state.chosen,
    canUndo: state.history.past.length > 0,
    canRedo: state.history.future.length > 0,
    choose: (chosen) => setState((old) => ({ ...old, chosen })),
    edit,
    add: (kind) => editAndChoose((doc, chosen) => addBlock(doc, kind, chosen)),
    remove: (id) =>
      step(({ history, chosen }) => ({
        history: record(history, removeBlock(history.doc, id), Date.now()),
        chosen: chosen === id ? neighborOf(history.doc, id) : chosen,
      })),
    move: (id, to, field) => edit((doc) => moveBlock(doc, id, to), field),
    duplicate: (id) => editAndChoose((doc) => duplicateBlock(doc, id)),
    hide: (id, hidden) => edit((doc) => setHidden(doc, id, hidden)),
    undo: () => step(({ history, chosen }) => ({ history: undo(history), chosen })),
    redo: () => step(({ history, chosen }) => ({ history: redo(history), chosen })),
  };
};
