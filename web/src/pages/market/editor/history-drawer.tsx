import type { Lang, Text } from '@farlink/contract/kit/text.ts';
import { portalCalls } from '@farlink/contract/market/portal.ts';
import type { HomeView } from '@farlink/portal/view.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { confirm } from '../../../kit/chrome/notify.tsx';
import { Unread } from '../../../kit/chrome/read-failed.tsx';
import { call } from '../../../kit/net/call.ts';
import { timeText } from '../../../ui/format.ts';
import { Button } from '../../../ui/native/button.tsx';
import { Panel } from '../../../ui/native/panel.tsx';
import { Tag } from '../../../ui/native/tag.tsx';
import { PreviewPane, usePreviewOptions } from './preview-pane.tsx';

const texts = {
  title: ['历史版本', 'History'],
  rev: ['版本 {0}', 'Revision {0}'],
  current: ['当前', 'Current'],
  revert: ['恢复为此版本', 'Revert to this revision'],
  revertQuestion: [
    '将以版本 {0} 的内容生成新版本，现有版本保留在历史中。确定吗？',
    'Revision {0} is saved again as the newest revision. The current one stays in the history. Continue?',
  ],
  replaceQuestion: [
    '将以版本 {0} 的内容生成新版本，未发布的修改会被替换（可撤销）。确定吗？',
    'Revision {0} is saved again as the newest revision. It replaces your unpublished changes, which Undo brings back. Continue?',
  ],
} as const satisfies Record<string, Text>;

const maxRevisions = 100;

interface HistoryDrawerProps {
  readonly id: number;
  readonly rev: number;
  readonly hasChanges: boolean;
  readonly srcOf: (rev: number, lang: Lang, view: HomeView) => string;
  readonly onRevert: (rev: number) => Promise<void>;
  readonly onClose: () => void;
}

/** Revisions of the portal, each with its preview. */
export const HistoryDrawer = ({ id, rev, hasChanges, srcOf, onRevert, onClose }: HistoryDrawerProps) => {
  const { data, error, refetch } = useQuery({
    queryKey: ['portal-history', id, rev],
    queryFn: () => call(portalCalls.history, { id, page: 1, limit: maxRevisions, filters: {} }, { silent: true }),
  });
  const revisions = data?.list.flatMap((one) => (one.rev === null ? [] : [{ ...one, rev: one.rev }])) ?? [];
  const [selected, setSelected] = useState(rev);
  const [previewOptions, setPreviewOptions] = usePreviewOptions();
  const revert = async () => {
    const text = hasChanges ? texts.replaceQuestion : texts.revertQuestion;
    if (await confirm([text[0].replace('{0}', String(selected)), text[1].replace('{0}', String(selected))])) await onRevert(selected);
  };
  return (
    <Panel title={t(texts.title)} width={940} onClose={onClose}>
      {error && <Unread retry={refetch} />}
      <div className="columns portal-history">
        <ul aria-label={t(texts.title)}>
          {revisions.map((one) => (
            <li key={one.rev}>
              <button
                type="button"
                className="choice history-row"
                aria-current={one.rev === selected || undefined}
                onClick={() => setSelected(one.rev)}
              >
                <span>
                  {t(texts.rev, one.rev)} {one.rev === rev && <Tag color="green">{t(texts.current)}</Tag>}
                </span>
                <small className="muted">
                  {one.operator} · {timeText(one.create_at)}
                </small>
              </button>
            </li>
          ))}
        </ul>
        <div className="column history-preview">
          <PreviewPane
            previewOptions={previewOptions}
            onPreviewOptions={setPreviewOptions}
            srcOf={(lang, view) => srcOf(selected, lang, view)}
          />
          <Button kind="primary" disabled={selected === rev} onClick={() => void revert()}>
            {t(texts.revert)}
          </Button>
        </div>
      </div>
    </Panel>
  );
};
