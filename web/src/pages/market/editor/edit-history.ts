import type { PortalDocument } from '@farlink/portal/document.ts';

/** Undo and redo of whole documents, which share their unchanged blocks. */
export interface EditHistory {
  readonly past: readonly PortalDocument[];
  readonly doc: PortalDocument;
  readonly future: readonly PortalDocument[];
  /** Field of the last edit; typing in one field without a long pause is one step. */
  readonly field?: string | undefined;
  readonly at: number;
}

export const maxSteps = 100;
const pauseMs = 2000;

export const startHistory = (doc: PortalDocument): EditHistory => ({ past: [], doc, future: [], at: 0 });

/** `field` names the edited field; without it the edit is a separate step. */
export const record = (history: EditHistory, doc: PortalDocument, now: number, field?: string): EditHistory => {
  if (doc === history.doc) return history;
  const continues = field !== undefined && field === history.field && now - history.at < pauseMs && history.past.length > 0;
  const past = continues ? history.past : [...history.past, history.doc].slice(-maxSteps);
  return { past, doc, future: [], field, at: now };
};

export const undo = (history: EditHistory): EditHistory => {
  const before = history.past.at(-1);
  if (!before) return history;
  return { past: history.past.slice(0, -1), doc: before, future: [history.doc, ...history.future], at: 0 };
};

export const redo = (history: EditHistory): EditHistory => {
  const [next, ...future] = history.future;
  if (!next) return history;
  return { past: [...history.past, history.doc], doc: next, future, at: 0 };
};
