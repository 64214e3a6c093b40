import { type ConfigPage, configCalls, keptSecret } from '@farlink/contract/config/config.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { mapSecrets } from '@farlink/gateway/kit/document.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { canonical } from '@farlink/gateway/protocol/canonical.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { documentOf, type PathErrors } from '../../../kit/document/validate-document.ts';
import { refresh } from '../../../kit/live/use-live.ts';
import { CallError, call, transportFailure } from '../../../kit/net/call.ts';
import { useEdits } from '../apply/edits.ts';
import { configKey, pageKey } from '../use-config.ts';

const none: PathErrors = {};

/** Saves the edit of a page as a draft. `validated` returns its document, or undefined while the values are invalid. */
export const useSaveDraft = (
  device_id: number,
  page: GatewayPage,
  data: ConfigPage,
  validated: (values: Values) => JsonObject | undefined,
) => {
  const client = useQueryClient();
  const edits = useEdits();
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
      return edits.put(page.key, { ...typed, state: 'saved', served: none, isUnsent: false });
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
      if (edits.get(page.key) === sent) edits.put(page.key, { ...sent, state: 'saved', served: none, isUnsent: false });
      // The page itself is up to date; tree and review are loaded again.
      for (const name of ['tree', 'review']) void refresh(client, [...configKey(device_id), name]);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const isUnsent = error.code === transportFailure;
      const served = isUnsent ? none : Object.keys(error.fields).length > 0 ? error.fields : { '': error.message };
      if (edits.get(page.key) === sent) edits.put(page.key, { ...sent, state: 'edited', served, isUnsent });
    }
  };
  // Requests run one after the other, so later input is compared with the draft before it.
  const save = () => {
    saving.current = saving.current.then(saveOnce, saveOnce);
    return saving.current;
  };
  /** Discards the draft, also one that was saved during the confirmation. */
  const discard = async () => {
    edits.drop(page.key);
    await saving.current;
    try {
      if (known().draft) await call(configCalls.discard, { device_id, page: page.key }, { overlay: false });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      return client.invalidateQueries({ queryKey: configKey(device_id) });
    }
    client.setQueryData<ConfigPage>(pageKey(device_id, page.key), (old) => old && { ...old, draft: null });
    await client.invalidateQueries({ queryKey: configKey(device_id) });
  };
  return { save, discard };
};
