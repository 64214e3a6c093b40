import type { ConfigPage } from '@farlink/contract/config/config.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { documentOf, type PathErrors } from '../../../kit/document/validate-document.ts';
import { useEdit, useEdits } from '../apply/edits.ts';
import { useSaveDraft } from './use-save-draft.ts';

/** Each saved draft writes an operator-log line, so save on pause or blur, not on every keystroke. */
const pauseMs = 2500;
const leaveMs = 700;
/** Retry interval after a failed request, while the page is open. */
const againMs = 5000;

const none: PathErrors = {};

export interface Section {
  /** Displayed values: the edit, else the draft, else the desired document. */
  readonly values: Values;
  /** The document without a draft. */
  readonly base: JsonObject;
  readonly served: PathErrors;
  readonly state: 'same' | 'edited' | 'cut' | 'saving' | 'saved';
  readonly put: (patch: Values) => void;
  /** Replaces all values. */
  readonly set: (values: Values) => void;
  /** A field was left: valid values are saved soon. */
  readonly left: () => void;
  readonly discard: () => Promise<void>;
}

/** Editing state of a page. `validated` returns the document of the values, or undefined while they are invalid. */
export const useSection = (
  device_id: number,
  page: GatewayPage,
  data: ConfigPage,
  validated: (values: Values) => JsonObject | undefined,
): Section => {
  const edits = useEdits();
  const stored = useEdit(page.key);
  // The draft was discarded or applied elsewhere.
  const pageEdit = stored?.state === 'saved' && !data.draft ? undefined : stored;
  const base = documentOf(data.doc);
  const [saveRequests, setSaveRequests] = useState(0);
  const values = pageEdit?.raw ?? data.draft?.doc ?? data.doc;
  const { save, discard } = useSaveDraft(device_id, page, data, validated);
  const saveNow = useEffectEvent(save);

  useEffect(() => {
    if (pageEdit?.state !== 'edited' || Object.keys(pageEdit.served).length > 0) return;
    const timer = setTimeout(() => void saveNow(), pageEdit.isUnsent ? againMs : pauseMs);
    return () => clearTimeout(timer);
  }, [pageEdit]);

  useEffect(() => {
    if (saveRequests === 0) return;
    const timer = setTimeout(() => void saveNow(), leaveMs);
    return () => clearTimeout(timer);
  }, [saveRequests]);

  // Before another page opens, valid values are saved as a draft.
  const leave = useEffectEvent(async () => {
    await saveNow();
    if (edits.get(page.key)?.state === 'saved') edits.drop(page.key);
  });
  useEffect(() => () => void leave(), []);
  useEffect(() => edits.onFlush(() => saveNow()), [edits]);

  const edit = (raw: Values, served: PathErrors) =>
    edits.put(page.key, { raw, state: 'edited', isValid: validated(raw) !== undefined, served, isUnsent: false });
  const set = (raw: Values) => edit(raw, none);
  return {
    values,
    base,
    served: pageEdit?.served ?? none,
    state: pageEdit?.state === 'edited' && pageEdit.isUnsent ? 'cut' : (pageEdit?.state ?? (data.draft ? 'saved' : 'same')),
    put: (patch) => {
      const now = edits.get(page.key);
      const served = Object.fromEntries(
        Object.entries(now?.served ?? none).filter(([path]) => path !== '' && !((path.split(/[[.]/)[0] ?? '') in patch)),
      );
      edit({ ...(now?.raw ?? values), ...patch }, served);
    },
    set,
    left: () => setSaveRequests(saveRequests + 1),
    discard,
  };
};
