import type { Text } from '@farlink/contract/kit/text.ts';
import { portalCalls } from '@farlink/contract/market/portal.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { useNavigate } from 'react-router';
import { t } from '../../../kit/chrome/lang.ts';
import { notify, requestFailed } from '../../../kit/chrome/notify.tsx';
import type { FormState } from '../../../kit/form/use-form.ts';
import { CallError, call } from '../../../kit/net/call.ts';
import { useMe } from '../../../kit/net/session.ts';
import { copyName } from './copy-name.ts';
import type { Base, useDraft } from './use-draft.ts';
import type { Editor } from './use-editor.ts';
import { documentOf, readPortal, savePortal } from './use-portal.ts';
import type { usePublish } from './use-publish.ts';

const texts = {
  reverted: ['已恢复，并保存为新版本', 'Reverted and saved as a new revision'],
  loaded: ['已载入对方版本，可用撤销找回您的修改', 'Their version is loaded. Undo brings your changes back.'],
  copied: ['已另存为“{0}”', 'Saved as "{0}"'],
} as const satisfies Record<string, Text>;

interface VersionOptions {
  readonly id: number;
  readonly editor: Editor;
  readonly settings: FormState;
  readonly draft: ReturnType<typeof useDraft>;
  readonly publish: ReturnType<typeof usePublish>;
  readonly onBase: (base: Base) => void;
}

/** What an operator can do with another version: load it, replace it, or keep a copy beside it. */
export const useVersions = ({ id, editor, settings, draft, publish, onBase }: VersionOptions) => {
  const navigate = useNavigate();
  const me = useMe();
  const read = async () => {
    const portal = await readPortal(id);
    const document = documentOf(portal.document);
    if (!document) throw new CallError(0, t(requestFailed), null);
    return { portal, base: { document, version: portal.version, rev: portal.rev } };
  };
  const guarded = (run: () => Promise<void>) => async () => {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      notify.error(error.message);
    }
  };
  /** The document changes as one step of undo, so nothing is lost. */
  const load = async () => {
    const { portal, base } = await read();
    onBase(base);
    editor.edit(() => base.document);
    settings.fill({ name: portal.name, template_id: portal.template_id, billing_type: portal.billing_type });
    draft.notStale();
    publish.resolved();
  };
  const theirs = guarded(async () => {
    await draft.waitForSave();
    await load();
    notify.info(t(texts.loaded));
  });
  const mine = guarded(async () => {
    await draft.waitForSave();
    const { base } = await read();
    onBase(base);
    await publish.publish(base.version);
  });
  const copy = guarded(async () => {
    await draft.waitForSave();
    const { portal } = await read();
    const name = copyName(String(settings.values.name ?? portal.name), Date.now());
    const { template_id, device_type, billing_type } = portal;
    const made = await call(portalCalls.create, { name, template_id, device_type, billing_type }, { silent: true });
    const { version } = await readPortal(made.id);
    await savePortal(made.id, { version, name, template_id, billing_type, document: editor.doc });
    await load();
    notify.success(t(texts.copied, name));
    await navigate(`/market/advert-edit/${made.id}`);
  });
  const revert = async (rev: number) => {
    await draft.waitForSave();
    await call(portalCalls.revert, { id, rev });
    await load();
    notify.success(t(texts.reverted));
  };
  return { theirs, mine, copy: mayCall(portalCalls.create, me) ? copy : undefined, revert };
};
