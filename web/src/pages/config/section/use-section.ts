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

/** Every draft that is saved is a line of the operator log, so nobody's keystrokes are: a pause, or another field, ends a thought. */
const pauseMs = 2500;
const leaveMs = 700;
/** What did not get through is tried again as long as the page is open. */
const againMs = 5000;

const none: PathErrors = {};

export interface Section {
  /** As it is shown: what is typed, else the draft, else what is wanted. */
  readonly values: Values;
  /** As it stands without any draft. */
  readonly base: JsonObject;
  readonly served: PathErrors;
  readonly state: 'same' | 'edited' | 'cut' | 'saving' | 'saved';
  readonly put: (patch: Values) => void;
  /** Replaces all of it. */
  readonly set: (values: Values) => void;
  /** A field was left: what is well is saved soon. */
  readonly left: () => void;
  readonly discard: () => Promise<void>;
}

/** What becomes of a page while somebody works on it. `doc` is what its values come to, or undefined while they are not well. */
export const useSection = (
  device_id: number,
  page: GatewayPage,
  data: ConfigPage,
  validated: (values: Values) => JsonObject | undefined,
): Section => {
  const client = useQueryClient();
  const edits = useEdits();
  const held = useEdit(page.key);
  // Saved here and gone since: discarded or applied somewhere else.
  const pageEdit = held?.state === 'saved' && !data.draft ? undefined : held;
  const base = documentOf(data.doc);
  const [hurry, setHurry] = useState(0);
  const values = pageEdit?.raw ?? data.draft?.doc ?? data.doc;
  const saving = useRef(Promise.resolve());
  /** As it is known now, which may be more than what was drawn last. */
  const known = () => client.getQueryData<ConfigPage>(pageKey(device_id, page.key)) ?? data;

  const saveOnce = async () => {
    const typed = edits.get(page.key);
    const doc = typed?.state === 'edited' ? validated(typed.raw) : undefined;
    if (!typed || !doc) return;
    const { draft, doc: desired, rev } = known();
    const isBase = canonical(doc) === canonical(documentOf(desired));
    // Typed and taken back again: there is nothing to save.
    if (isBase && !draft) return edits.drop(page.key);
    if (draft && canonical(doc) === canonical(documentOf(draft.doc)))
      return edits.put(page.key, { ...typed, state: 'saved', served: none, isCut: false });
    const sent = { ...typed, state: 'saving' as const };
    edits.put(page.key, sent);
    const base_rev = draft?.base_rev ?? rev;
    try {
      await call(configCalls.draft, { device_id, page: page.key, base_rev, doc }, { silent: true, overlay: false });
      const at = Math.floor(Date.now() / 1000);
      // As the server would answer it: a secret that was taken is not shown again.
      const kept = mapSecrets(page, doc, () => keptSecret);
      client.setQueryData<ConfigPage>(
        pageKey(device_id, page.key),
        (old) => old && { ...old, draft: isBase ? null : { doc: kept, base_rev, update_at: at } },
      );
      // What was typed meanwhile waits for its own turn.
      if (edits.get(page.key) === sent) edits.put(page.key, { ...sent, state: 'saved', served: none, isCut: false });
      // The page itself is known; the tree, the bar and a review are not.
      for (const part of ['tree', 'review']) void refresh(client, [...configKey(device_id), part]);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const isCut = error.code === transportFailure;
      const served = isCut ? none : Object.keys(error.fields).length > 0 ? error.fields : { '': error.message };
      if (edits.get(page.key) === sent) edits.put(page.key, { ...sent, state: 'edited', served, isCut });
    }
  };
  // One after the other: what is typed while a draft is on its way is compared with that draft.
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

  // Another page is opened: what is well goes along as a draft.
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
      // What was saved while the operator was being asked goes too.
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
