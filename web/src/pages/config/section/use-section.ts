import { type ConfigPage, configCalls, keptSecret } from '@farlink/contract/config/config.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { mapSecrets } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { canonical } from '@farlink/gateway/protocol/canonical.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { documentOf, type PathErrors } from '../../../kit/document/validate-document.ts';
import { refresh } from '../../../kit/live/use-live.ts';
import { CallError, call, transportFailure } from '../../../kit/net/call.ts';
import { useEdit, useEdits } from '../apply/edits.ts';
import { configKey, pageKey } from '../use-config.ts';

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

/** Editing state of a page. `doc` returns the document of the values, or undefined while they are invalid. */
export const useSection = (
  device_id: number,
  page: GatewayPage,
  data: ConfigPage,
  validated: (values: Values) => JsonObject | undefined,
): Section => {
  const client = useQueryClient();
  const edits = useEdits();
  const held = useEdit(page.key);
  // The draft was discarded or applied elsewhere.
  const pageEdit = held?.state === 'saved' && !data.draft ? undefined : held;
  const base = documentOf(data.doc);
  const [hurry, setHurry] = useState(0);
  const values = pageEdit?.raw ?? data.draft?.doc ?? data.doc;
  const saving = useRef(Promise.resolve());
  /** The cached page, which can be newer than the last render. */
  const known = () => client.getQueryData<ConfigPage>(pageKey(device_id, page.key)) ?? data;

  const saveOnce = async () => {
    const typed = edits.get(page.key);
    const doc = typed?.state === 'edited' ? validated(typed.raw) : undefined;
    if (!typed || !doc) return;
    const { draft, doc: desired, rev } = known();
    const isBase = canonical(doc) === canonical(documentOf(desired));
    // The input was reverted, so there is nothing to save.
    if (isBase && !draft) return edits.drop(page.key);
    if (draft && canonical(doc) === canonical(documentOf(draft.doc)))
      return edits.put(page.key, { ...typed, state: 'saved', served: none, isCut: false });
    const sent = { ...typed, state: 'saving' as const };
    edits.put(page.key, sent);
    const base_rev = draft?.base_rev ?? rev;
    try {
      await call(configCalls.draft, { device_id, page: page.key, base_rev, doc }, { silent: true, overlay: false });
      const at = Math.floor(Date.now() / 1000);
      // Same form as the server response: a saved secret is not shown again.
      const kept = mapSecrets(page, doc, () => keptSecret);
      client.setQueryData<ConfigPage>(
        pageKey(device_id, page.key),
        (old) => old && { ...old, draft: isBase ? null : { doc: kept, base_rev, update_at: at } },
      );
      // Input during the request is saved by the next one.
      if (edits.get(page.key) === sent) edits.put(page.key, { ...sent, state: 'saved', served: none, isCut: false });
      // The page itself is up to date; tree and review are loaded again.
      for (const part of ['tree', 'review']) void refresh(client, [...configKey(device_id), part]);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const isCut = error.code === transportFailure;
      const served = isCut ? none : Object.keys(error.fields).length > 0 ? error.fields : { '': error.message };
      if (edits.get(page.key) === sent) edits.put(page.key, { ...sent, state: 'edited', served, isCut });
    }
  };
  // Requests run one after the other, so later input is compared with the draft before it.
  const save = () => {
    saving.current = saving.current.then(saveOnce, saveOnce);
    return saving.current;
  };
  const saveNow = useEffectEvent(save);

  useEffect(() => {
    if (pageEdit?.state !== 'edited' || Object.keys(pageEdit.served).length > 0) return;
    const timer = setTimeout(() => void saveNow(), pageEdit.isCut ? againMs : pauseMs);
    return () => clearTimeout(timer);
  }, [pageEdit]);

  useEffect(() => {
    if (hurry === 0) return;
    const timer = setTimeout(() => void saveNow(), leaveMs);
    return () => clearTimeout(timer);
  }, [hurry]);

  // Before another page opens, valid values are saved as a draft.
  const leave = useEffectEvent(async () => {
    await saveNow();
    if (edits.get(page.key)?.state === 'saved') edits.drop(page.key);
  });
  useEffect(() => () => void leave(), []);
  useEffect(() => edits.onFlush(() => saveNow()), [edits]);

  const edit = (raw: Values, served: PathErrors) =>
    edits.put(page.key, { raw, state: 'edited', isWell: validated(raw) !== undefined, served, isCut: false });
  const set = (raw: Values) => edit(raw, none);
  return {
    values,
    base,
    served: pageEdit?.served ?? none,
    state: pageEdit?.state === 'edited' && pageEdit.isCut ? 'cut' : (pageEdit?.state ?? (data.draft ? 'saved' : 'same')),
    put: (patch) => {
      const now = edits.get(page.key);
      const served = Object.fromEntries(
        Object.entries(now?.served ?? none).filter(([path]) => path !== '' && !((path.split(/[[.]/)[0] ?? '') in patch)),
      );
      edit({ ...(now?.raw ?? values), ...patch }, served);
    },
    set,
    left: () => setHurry(hurry + 1),
    discard: async () => {
      edits.drop(page.key);
      // A draft that was saved during the confirmation is discarded too.
      await saving.current;
      try {
        if (known().draft) await call(configCalls.discard, { device_id, page: page.key }, { overlay: false });
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        return client.invalidateQueries({ queryKey: configKey(device_id) });
      }
      client.setQueryData<ConfigPage>(pageKey(device_id, page.key), (old) => old && { ...old, draft: null });
      await client.invalidateQueries({ queryKey: configKey(device_id) });
    },
  };
};
