import { applySource } from '@farlink/contract/config/apply.ts';
import { type ConfigPage, configCalls } from '@farlink/contract/config/config.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { confirm, notify } from '../../../kit/chrome/notify.tsx';
import { Unread } from '../../../kit/chrome/read-failed.tsx';
import { DifferenceList } from '../../../kit/document/difference-list.tsx';
import { CallError, call } from '../../../kit/net/call.ts';
import { timeText } from '../../../ui/format.ts';
import { Button } from '../../../ui/native/button.tsx';
import { EmptyState } from '../../../ui/native/empty-state.tsx';
import { Panel } from '../../../ui/native/panel.tsx';
import { Tag } from '../../../ui/native/tag.tsx';
import { configKey, refreshConfig } from '../use-config.ts';
import { useEdits } from './edits.ts';

const texts = {
  title: ['历史版本', 'History'],
  none: ['尚未下发过', 'Nothing has been applied yet'],
  current: ['当前', 'Current'],
  rev: ['版本 {0}', 'Revision {0}'],
  restore: ['恢复为草稿', 'Restore as a draft'],
  restored: ['已按该版本生成草稿，核对后下发', 'Draft created from this revision. Review and apply it.'],
  replaceQuestion: ['本页已有草稿，将被该版本替换，确定吗？', 'This page has a draft. Replace it with this revision?'],
  now: ['当前配置', 'Now'],
  past: ['该版本', 'That revision'],
  more: ['更早的版本', 'Earlier revisions'],
  pick: ['选择一个版本，查看恢复它会改变什么', 'Select a revision to see what restoring it changes'],
} as const satisfies Record<string, Text>;

interface HistoryDrawerProps {
  readonly deviceId: number;
  readonly page: GatewayPage;
  readonly data: ConfigPage;
  readonly onClose: () => void;
}

const step = 20;
const background = { silent: true, overlay: false } as const;

/** All revisions of a page, the changes of a rollback to one, and the rollback itself. */
const HistoryDrawer = ({ deviceId: device_id, page, data, onClose }: HistoryDrawerProps) => {
  const client = useQueryClient();
  const edits = useEdits();
  const [limit, setLimit] = useState(step);
  const [rev, setRev] = useState<number>();
  const revisions = useQuery({
    queryKey: [...configKey(device_id), 'revisions', page.key, limit],
    queryFn: () =>
      call(configCalls.revisions, { device_id, section: page.key, page: 1, limit, orderby: 'rev desc', filters: {} }, background),
    placeholderData: (previous) => previous,
  });
  const chosen = useQuery({
    queryKey: [...configKey(device_id), 'revision', page.key, rev],
    queryFn: () => call(configCalls.revision, { device_id, page: page.key, rev: rev ?? 0 }, background),
    enabled: rev !== undefined,
  });
  const list = revisions.data?.list ?? [];
  const restore = async (to: number) => {
    if ((data.draft || edits.get(page.key)) && !(await confirm(texts.replaceQuestion, { of: t(page.title) }))) return;
    try {
      await call(configCalls.rollback, { device_id, page: page.key, rev: to });
    } catch (error) {
      if (error instanceof CallError) return;
      throw error;
    }
    edits.drop(page.key);
    await refreshConfig(client, device_id);
    notify.success(t(texts.restored));
    onClose();
  };
  return (
    <Panel title={`${t(texts.title)} · ${t(page.title)}`} width={920} onClose={onClose}>
      {revisions.isError && !revisions.data ? (
        <Unread retry={revisions.refetch} />
      ) : list.length === 0 && !revisions.isPending ? (
        <EmptyState title={t(texts.none)} />
      ) : (
        <div className="columns narrow history">
          <ul aria-label={t(texts.title)}>
            {list.map((row) => {
              const source = applySource.find(({ id }) => id === row.source);
              return (
                <li key={row.rev}>
                  <button type="button" className="choice" aria-pressed={row.rev === rev} onClick={() => setRev(row.rev ?? undefined)}>
                    <span className="row">
                      <strong>{t(texts.rev, row.rev ?? 0)}</strong>
                      {row.rev === data.rev && <Tag color="green">{t(texts.current)}</Tag>}
                      {source && <Tag>{t(source.label)}</Tag>}
                    </span>
                    <span className="muted">{timeText(row.create_at)}</span>
                    <span className="muted clip">{[row.operator, row.note].filter(Boolean).join(' · ')}</span>
                  </button>
                </li>
              );
            })}
            {(revisions.data?.total ?? 0) > list.length && (
              <li>
                <Button kind="link" onClick={() => setLimit(limit + step)}>
                  {t(texts.more)}
                </Button>
              </li>
            )}
          </ul>
          <section>
            {rev === undefined && <p className="muted">{t(texts.pick)}</p>}
            {chosen.isError && !chosen.data && <Unread retry={chosen.refetch} />}
            {chosen.data && rev !== undefined && (
              <>
                <DifferenceList page={page} differences={chosen.data.differences} refs={data.refs} before={texts.now} after={texts.past} />
                {data.writable && chosen.data.differences.length > 0 && (
                  <Button kind="primary" onClick={() => void restore(rev)}>
                    {t(texts.restore)}
                  </Button>
                )}
              </>
            )}
          </section>
        </div>
      )}
    </Panel>
  );
};
export default HistoryDrawer;
