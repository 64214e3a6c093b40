import { pick } from '@farlink/contract/kit/field.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { advertEdit } from '@farlink/contract/market/advert-pages.ts';
import { type PortalDetail, portalCalls, portalEditFields } from '@farlink/contract/market/portal.ts';
import { portalSendCalls } from '@farlink/contract/market/portal-send.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import type { PortalDocument } from '@farlink/portal/document.ts';
import { type KeyboardEvent, useId, useState } from 'react';
import { offersOf } from '../../../kit/actions/action-state.ts';
import { type Run, usePageActions } from '../../../kit/actions/use-page-actions.tsx';
import { confirm } from '../../../kit/chrome/notify.tsx';
import { startValues } from '../../../kit/form/form-values.ts';
import { useForm } from '../../../kit/form/use-form.ts';
import { useLeaveGuard } from '../../../kit/form/use-leave-guard.ts';
import { useMe } from '../../../kit/net/session.ts';
import { BlockList } from './block-list.tsx';
import { faultsOf } from './document-faults.ts';
import { DraftStatus } from './draft-status.tsx';
import { EditorContext, type EditorTools } from './editor-context.ts';
import { EditorHead } from './editor-head.tsx';
import { EditorPanes, type PaneName } from './editor-panes.tsx';
import { HistoryDrawer } from './history-drawer.tsx';
import { missingTexts } from './missing-texts.ts';
import { OutdatedCallout } from './outdated-callout.tsx';
import { settingNames } from './page-properties.tsx';
import { type PreviewOptions, PreviewPane, usePreviewOptions } from './preview-pane.tsx';
import { Properties } from './properties.tsx';
import { StaleCallout } from './stale-callout.tsx';
import type { ShownLangs } from './text-pair.tsx';
import { type Base, useDraft } from './use-draft.ts';
import { type Editor, type EditorItem, useEditor } from './use-editor.ts';
import { previewUrls } from './use-portal.ts';
import { usePublish } from './use-publish.ts';
import { useVersions } from './use-versions.ts';

const texts = {
  saveFirst: ['有未发布的修改，下发前需要保存。现在保存吗？', 'There are unpublished changes. Save them before sending?'],
} as const satisfies Record<string, Text>;

interface PortalEditorProps {
  /** Current state, with a valid token of the preview. */
  readonly portal: PortalDetail;
  /** State at the start of the edit. */
  readonly first: { readonly portal: PortalDetail; readonly document: PortalDocument; readonly draft: PortalDocument | undefined };
}

/** Document, settings, draft and versions of one edit. */
const usePortalEdit = ({ portal, document, draft: startDraft }: PortalEditorProps['first']) => {
  const { id } = portal;
  const plain = useEditor(startDraft ?? document);
  const [pane, setPane] = useState<PaneName>('blocks');
  const open = (item: EditorItem) => {
    plain.choose(item);
    setPane('props');
  };
  // A selection outside of the list opens the properties.
  const editor = { ...plain, choose: open };
  const settings = useForm(pick(portalEditFields, ...settingNames), startValues(portalEditFields, { ...portal }), {});
  const startBase: Base = { document, version: portal.draft?.base_version ?? portal.version, rev: portal.rev };
  const [base, onBase] = useState(startBase);
  const faults = faultsOf(editor.doc);
  const startsStale = startBase.version < portal.version;
  const mayEdit = mayCall(portalCalls.update, useMe());
  const draft = useDraft({ id, doc: editor.doc, base, draft: startDraft, isWrong: faults.length > 0, startsStale, mayEdit });
  const publish = usePublish({ id, editor, settings, faults, base, draft, onBase });
  const versions = useVersions({ id, editor, settings, draft, publish, onBase });
  useLeaveGuard(() => mayEdit && (!settings.unchanged || draft.status.kind === 'wrong' || draft.status.kind === 'failed'));
  return { id, plain, editor, pane, setPane, settings, base, faults, draft, publish, versions };
};

type PortalEdit = ReturnType<typeof usePortalEdit>;

const usePortalActions = (
  { draft, publish, settings }: PortalEdit,
  previewOptions: PreviewOptions,
  urls: ReturnType<typeof previewUrls>,
) => {
  const run: Run = {
    save: () => publish.publish(),
    preview: () => window.open(urls.draft(previewOptions.lang, previewOptions.view, draft.stamp), '_blank', 'noopener'),
    send: async (row, actions) => {
      const isOpen = draft.isChanged || !settings.unchanged;
      if (isOpen && !((await confirm(texts.saveFirst)) && (await publish.publish()))) return;
      await actions.openForm('send', row);
    },
  };
  return usePageActions(advertEdit, {}, run);
};

/** Row of a send to the devices with an older revision. */
const outdatedRow = (portal: PortalDetail): AnyRow => ({ ...portal, target: 'device', device_ids: portal.outdated_ids });

/** Keys that work in the whole editor, text inputs included. */
const shortcut = (e: KeyboardEvent, editor: Editor, save: () => void) => {
  // Events of dialogs arrive here too.
  if (!(e.target instanceof Node && e.currentTarget.contains(e.target))) return;
  if (!(e.ctrlKey || e.metaKey) || e.altKey) return;
  const key = e.key.toLowerCase();
  if (key === 's') save();
  else if (key === 'z') e.shiftKey ? editor.redo() : editor.undo();
  else if (key === 'y') editor.redo();
  else return;
  e.preventDefault();
};

/** The visual editor of a portal. */
export const PortalEditor = ({ portal, first }: PortalEditorProps) => {
  const edit = usePortalEdit(first);
  const { id, plain, editor, pane, setPane, settings, base, faults, draft, publish, versions } = edit;
  const formId = useId();
  const me = useMe();
  const [shown, setShown] = useState<ShownLangs>('both');
  const [previewOptions, setPreviewOptions] = usePreviewOptions();
  const [isHistory, setHistory] = useState(false);
  const urls = previewUrls(portal);
  const actions = usePortalActions(edit, previewOptions, urls);
  const tools: EditorTools = { editor, portal, faults, shown, imageUrl: (image) => urls.image(image, draft.stamp) };
  const hasFragments = Object.keys(portal.template.fragments).length > 0;
  const isBehind = draft.isChanged && portal.version > base.version;
  const srcOf = (lang: PreviewOptions['lang'], view: PreviewOptions['view']) => urls.draft(lang, view, draft.stamp);
  return (
    <EditorContext value={tools}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the controls inside */}
      <div className="portal-editor" onKeyDown={(e) => shortcut(e, editor, () => void publish.publish())}>
        <EditorHead
          name={String(settings.values.name ?? portal.name)}
          owner={portal.agent_name}
          editor={editor}
          status={<DraftStatus status={draft.status} onRetry={draft.retry} onShow={publish.showFault} />}
          missing={missingTexts(editor.doc)}
          others={portal.others}
          offers={offersOf(advertEdit, 'record', me, { ...portal })}
          act={(key) => actions.act(key, { ...portal })}
          onHistory={() => setHistory(true)}
        />
        {(publish.isStale || isBehind) && (
          <StaleCallout
            onTheirs={() => void versions.theirs()}
            onMine={() => void versions.mine()}
            onCopy={versions.copy && (() => void versions.copy?.())}
          />
        )}
        {portal.outdated_ids.length > 0 && !draft.isChanged && (
          <OutdatedCallout
            count={portal.outdated_ids.length}
            onSend={mayCall(portalSendCalls.send, me) ? () => void actions.openForm('send', outdatedRow(portal)) : undefined}
          />
        )}
        <EditorPanes
          open={pane}
          onOpen={setPane}
          blocks={<BlockList editor={plain} faults={faults} hasFragments={hasFragments} onOpen={editor.choose} />}
          preview={
            <PreviewPane
              previewOptions={previewOptions}
              onPreviewOptions={setPreviewOptions}
              srcOf={srcOf}
              mark={editor.chosen}
              onSelect={editor.choose}
            />
          }
          props={<Properties id={formId} settings={settings} onShown={setShown} />}
        />
        {isHistory && (
          <HistoryDrawer
            id={id}
            rev={base.rev}
            hasChanges={draft.isChanged}
            srcOf={urls.revision}
            onRevert={versions.revert}
            onClose={() => setHistory(false)}
          />
        )}
        {actions.open}
      </div>
    </EditorContext>
  );
};
