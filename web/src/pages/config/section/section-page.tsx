import type { ConfigNode } from '@farlink/contract/config/config.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { factoryOf } from '@farlink/gateway/kit/document.ts';
import { canonical } from '@farlink/gateway/protocol/canonical.ts';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { confirm } from '../../../kit/chrome/notify.tsx';
import { documentOf } from '../../../kit/document/validate-document.ts';
import { ActButton } from '../../../ui/native/act-button.tsx';
import { Button } from '../../../ui/native/button.tsx';
import { Callout } from '../../../ui/native/callout.tsx';
import { RefusalText } from '../apply/refusal-text.tsx';
import { StateTag } from '../apply/state-tag.tsx';
import { PageHead } from '../frame/page-head.tsx';
import type { Handle, SectionProps } from './section.ts';
import { SectionForm } from './section-form.tsx';
import { SectionRows } from './section-rows.tsx';

const HistoryDrawer = lazy(() => import('../apply/history-drawer.tsx'));
const DriftDrawer = lazy(() => import('../apply/drift-drawer.tsx'));

const texts = {
  history: ['历史版本', 'History'],
  factory: ['恢复出厂值', 'Factory values'],
  factoryQuestion: ['将本页改为出厂值？仍需下发才会生效。', 'Set this page to factory values? This takes effect when applied.'],
  discard: ['放弃修改', 'Discard changes'],
  discardQuestion: [
    '本页未下发的修改将丢失。确定放弃草稿吗？',
    'Changes that are not applied will be lost. Discard the draft of this page?',
  ],
  readOnly: ['您仅有查看权限', 'You have view-only permission'],
  others: ['{0} 也有本页的草稿', '{0} also has a draft of this page'],
  stale: [
    '草稿基于版本 {0}，当前已是版本 {1}，核对时请留意',
    'The draft is based on revision {0}; the current revision is {1}. Note this in the review.',
  ],
  drifted: ['有人在网关上修改了本页', 'This page was changed at the gateway'],
  both: ['查看两个版本', 'See both versions'],
  refused: ['网关未接受：', 'Refused by the gateway: '],
} as const satisfies Record<string, Text>;

interface SectionPageProps extends SectionProps {
  readonly node: ConfigNode;
}

/** A configuration page: header, notes and content. */
export const SectionPage = ({ deviceId, page, data, node, hrefOf, at }: SectionPageProps) => {
  const [open, setOpen] = useState<'history' | 'drift'>();
  const isFactory = canonical(documentOf(data.draft?.doc ?? data.doc)) === canonical(factoryOf(page));
  const { draft } = data;
  const head = ({ status, isDirty, set, discard }: Handle) => (
    <PageHead
      page={page}
      bar={
        <>
          <StateTag data={data} />
          <span className="spring" />
          {status}
          {isDirty && data.writable && (
            <ActButton
              label={t(texts.discard)}
              onClick={() => void confirm(texts.discardQuestion, { of: t(page.title) }).then((yes) => (yes ? discard() : undefined))}
            />
          )}
          {data.writable && !isFactory && page.kind === 'form' && (
            <Button onClick={() => void confirm(texts.factoryQuestion, { of: t(page.title) }).then((yes) => yes && set(factoryOf(page)))}>
              {t(texts.factory)}
            </Button>
          )}
          <Button onClick={() => setOpen('history')}>{t(texts.history)}</Button>
        </>
      }
    >
      {data.state === 'drifted' && (
        <Callout tone="warning">
          {t(texts.drifted)} <ActButton label={t(texts.both)} onClick={() => setOpen('drift')} />
        </Callout>
      )}
      {data.err !== null && (
        <Callout tone="error">
          {t(texts.refused)}
          <RefusalText err={data.err} hrefOf={hrefOf} />
        </Callout>
      )}
      {draft && draft.base_rev < data.rev && <Callout tone="warning">{t(texts.stale, draft.base_rev, data.rev)}</Callout>}
      {data.others.length > 0 && <Callout tone="warning">{t(texts.others, data.others.join(t(['、', ', '])))}</Callout>}
      {!(data.writable && node.writable) && <p className="hint">{t(texts.readOnly)}</p>}
    </PageHead>
  );
  const shared = { deviceId, page, data, hrefOf, at, head };
  return (
    <>
      {page.kind === 'list' ? <SectionRows {...shared} /> : <SectionForm {...shared} />}
      <Suspense>
        {open === 'history' && <HistoryDrawer deviceId={deviceId} page={page} data={data} onClose={() => setOpen(undefined)} />}
        {open === 'drift' && data.state === 'drifted' && (
          <DriftDrawer deviceId={deviceId} page={page} data={data} onClose={() => setOpen(undefined)} />
        )}
      </Suspense>
    </>
  );
};
