import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { useEffect, useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { Button } from '../../../ui/antd/button.ts';
import { EmptyState } from '../../../ui/native/empty-state.tsx';
import { LineInput } from '../../../ui/native/line-input.tsx';
import { searchRows } from '../section/row-search.ts';
import { usePageData } from '../use-config.ts';
import { LiveHead } from './live-head.tsx';
import type { LivePageProps } from './live-page.ts';
import { LiveTable } from './live-table.tsx';
import { joined, useOlder } from './use-older.ts';
import { useWatch } from './use-watch.ts';

const texts = {
  search: ['在已加载的记录中查找', 'Search loaded records'],
  count: ['已加载 {0} 条', '{0} loaded'],
  found: ['{0} 条匹配，共加载 {1} 条', '{0} of {1} match'],
  older: ['加载更早的记录', 'Load older'],
  over: ['没有更早的记录', 'No older records'],
  failed: ['更早的记录读取失败，请重试', 'Older records could not be read. Try again.'],
  empty: ['暂无记录', 'No records'],
  none: ['没有匹配的记录', 'No record matches'],
  loading: ['正在读取…', 'Reading…'],
} as const satisfies Record<string, Text>;

/** Log of the gateway, newest first, as far back as it is stored. */
const LogPage = ({ deviceId, page }: LivePageProps) => {
  const [isPaused, setPaused] = useState(false);
  const [typed, setTyped] = useState('');
  const [seen, setSeen] = useState<readonly Values[]>([]);
  const { reading, failed, readAt, ask } = useWatch(deviceId, page.key, isPaused);
  const older = useOlder(deviceId, page.key);
  const refs = usePageData(deviceId, page.key).data?.refs ?? {};
  const fresh = reading?.rows;
  useEffect(() => {
    if (fresh) setSeen((old) => joined(fresh, old));
  }, [fresh]);
  const rows = joined(seen, older.rows);
  const found = searchRows(page.fields, rows, refs, typed);
  const isOver = older.state === 'over' || (reading?.more === false && older.rows.length === 0);
  return (
    <div className="live-page">
      <LiveHead page={page} reading={reading} readAt={readAt} failed={failed} isPaused={isPaused} onPause={setPaused} onAsk={ask}>
        {rows.length > 0 && (
          <>
            <span className="muted">{typed.trim() === '' ? t(texts.count, rows.length) : t(texts.found, found.length, rows.length)}</span>
            <span className="live-search">
              <LineInput
                id="live-search"
                type="search"
                value={typed}
                onChange={setTyped}
                placeholder={t(texts.search)}
                label={t(texts.search)}
              />
            </span>
          </>
        )}
      </LiveHead>
      {!reading && !failed && <p className="muted">{t(texts.loading)}</p>}
      {reading && rows.length === 0 && reading.at !== null && <EmptyState title={t(texts.empty)} />}
      {rows.length > 0 && found.length === 0 && <EmptyState title={t(texts.none)} />}
      {found.length > 0 && <LiveTable fields={page.fields} rows={found} refs={refs} label={t(page.title)} isSortable={false} />}
      {rows.length > 0 && (
        <p className="live-older">
          {older.state === 'failed' && <span className="refusal">{t(texts.failed)}</span>}
          {isOver ? (
            <span className="muted">{t(texts.over)}</span>
          ) : (
            <Button loading={older.state === 'reading'} disabled={reading?.state === 'offline'} onClick={() => void older.load(rows)}>
              {t(texts.older)}
            </Button>
          )}
        </p>
      )}
    </div>
  );
};
export default LogPage;
