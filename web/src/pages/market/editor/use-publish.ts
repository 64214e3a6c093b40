import { errors } from '@farlink/contract/errors.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { portalCalls } from '@farlink/contract/market/portal.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { notify } from '../../../kit/chrome/notify.tsx';
import type { FormState } from '../../../kit/form/use-form.ts';
import { CallError } from '../../../kit/net/call.ts';
import { useMe } from '../../../kit/net/session.ts';
import type { Fault } from './document-faults.ts';
import type { Base, useDraft } from './use-draft.ts';
import type { Editor } from './use-editor.ts';
import { savePortal } from './use-portal.ts';

const texts = {
  saved: ['保存成功', 'Saved'],
  wrong: ['请先修正标出的错误', 'Correct the marked errors first'],
} as const satisfies Record<string, Text>;

interface PublishOptions {
  readonly id: number;
  readonly editor: Editor;
  readonly settings: FormState;
  readonly faults: readonly Fault[];
  readonly base: Base;
  readonly draft: ReturnType<typeof useDraft>;
  readonly onBase: (base: Base) => void;
}

/** Saves the portal as a new revision. */
export const usePublish = ({ id, editor, settings, faults, base, draft, onBase }: PublishOptions) => {
  const client = useQueryClient();
  const mayEdit = mayCall(portalCalls.update, useMe());
  const [isBusy, setBusy] = useState(false);
  const [isStale, setStale] = useState(false);
  const showFault = () => {
    const [fault] = faults;
    if (fault) editor.choose(fault.block ?? (fault.field.startsWith('theme') ? '#theme' : '#page'));
  };
  const send = async (version: number) => {
    const validation = settings.validate();
    if ('errors' in validation) return editor.choose('#page');
    setBusy(true);
    try {
      await draft.waitForSave();
      const { name, template_id, billing_type } = validation.values;
      const reply = await savePortal(id, { version, name, template_id, billing_type, document: editor.doc });
      onBase({ document: editor.doc, ...reply });
      settings.fill({ name, template_id, billing_type });
      draft.published(editor.doc);
      setStale(false);
      notify.success(t(texts.saved));
      void client.invalidateQueries();
      return true;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.code === errors.stale.code) setStale(true);
      else {
        settings.refuse(error.fields);
        if (Object.keys(error.fields).length > 0) editor.choose('#page');
        notify.error(Object.values(error.fields)[0] ?? error.message);
      }
    } finally {
      setBusy(false);
    }
    return false;
  };
  const publish = async (version = base.version): Promise<boolean> => {
    if (isBusy || !mayEdit) return false;
    if (faults.length > 0) {
      showFault();
      notify.error(t(texts.wrong));
      return false;
    }
    if (!draft.isChanged && settings.unchanged && version === base.version) {
      notify.warning(t(errors.unchanged.text));
      return false;
    }
    return (await send(version)) === true;
  };
  return { isBusy, isStale: isStale || draft.isStale, resolved: () => setStale(false), publish, showFault };
};
