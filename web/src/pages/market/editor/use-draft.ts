import { portalCalls } from '@farlink/contract/market/portal.ts';
import type { PortalDocument } from '@farlink/portal/document.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { CallError, call, transportFailure } from '../../../kit/net/call.ts';
import { textOf } from './document-text.ts';

const pauseMs = 800;
const retryMs = 5000;

/** The saved portal that this edit started from. */
export interface Base {
  readonly document: PortalDocument;
  readonly version: number;
  readonly rev: number;
}

export type DraftStatus =
  /** Equal to the saved portal. */
  { readonly kind: 'same' | 'saved' | 'saving' | 'wrong' | 'viewOnly' } | { readonly kind: 'failed'; readonly reason: string };

interface DraftOptions {
  readonly id: number;
  readonly doc: PortalDocument;
  readonly base: Base;
  /** The stored draft at the start. */
  readonly draft: PortalDocument | undefined;
  readonly isWrong: boolean;
  /** Another operator saved the portal after this draft was started. */
  readonly startsStale: boolean;
  /** Without the permission to save, nothing is stored. */
  readonly mayEdit: boolean;
}

interface Failure {
  readonly text: string;
  readonly reason: string;
  /** No reply: the request is repeated. */
  readonly isUnsent: boolean;
}

/** Stores the edit as a draft after a pause. Requests run one after the other. */
export const useDraft = ({ id, doc, base, draft, isWrong, startsStale, mayEdit }: DraftOptions) => {
  const text = textOf(doc);
  const saved = textOf(base.document);
  const [stored, setStored] = useState(() => textOf(draft ?? base.document));
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [isStale, setStale] = useState(startsStale);
  /** Changes with each stored draft, so that the preview loads it. */
  const [stamp, setStamp] = useState(0);
  const running = useRef<Promise<void>>(Promise.resolve());
  const failed = failure?.text === text ? failure : undefined;

  const send = async () => {
    const options = { silent: true, overlay: false } as const;
    if (text === saved) await call(portalCalls.discardDraft, { id }, options);
    else setStale((await call(portalCalls.draft, { id, document: doc, base_version: base.version }, options)).stale);
  };
  const save = async () => {
    setSaving(true);
    try {
      await send();
      setStored(text);
      setFailure(undefined);
      setStamp((old) => old + 1);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFailure({ text, reason: error.message, isUnsent: error.code === transportFailure });
    } finally {
      setSaving(false);
    }
  };
  const start = useEffectEvent(() => {
    running.current = save();
  });
  const isDirty = text !== stored;
  const mayRepeat = mayEdit && (!failed || failed.isUnsent);
  const wait = failed ? retryMs : pauseMs;
  useEffect(() => {
    // `text` restarts the pause with each edit.
    if (text === stored || isWrong || isSaving || !mayRepeat) return;
    const timer = setTimeout(() => start(), wait);
    return () => clearTimeout(timer);
  }, [text, stored, isWrong, isSaving, mayRepeat, wait]);

  // An edit in the last moment before leaving is stored as well.
  const flush = useEffectEvent(() => {
    if (mayEdit && isDirty && !isWrong && !isSaving) void send().catch(() => undefined);
  });
  useEffect(() => () => flush(), []);
  const leave = useEffectEvent(() => {
    if (document.hidden && mayEdit && isDirty && !isWrong && !isSaving) start();
  });
  useEffect(() => {
    const listen = () => leave();
    document.addEventListener('visibilitychange', listen);
    return () => document.removeEventListener('visibilitychange', listen);
  }, []);

  const status = (): DraftStatus => {
    if (!isDirty) return { kind: text === saved ? 'same' : 'saved' };
    if (!mayEdit) return { kind: 'viewOnly' };
    if (isWrong) return { kind: 'wrong' };
    return failed ? { kind: 'failed', reason: failed.reason } : { kind: 'saving' };
  };
  return {
    status: status(),
    isStale,
    stamp,
    isChanged: text !== saved,
    retry: () => start(),
    /** Waits for a request in flight, before the portal itself is saved. */
    waitForSave: () => running.current,
    /** Another version was loaded. */
    notStale: () => setStale(false),
    /** The document was saved as the portal, so the server has no draft any more. */
    published: (document: PortalDocument) => {
      setStored(textOf(document));
      setStale(false);
      setStamp((old) => old + 1);
    },
  };
};
