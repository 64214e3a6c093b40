import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { useEffect, useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { Button } from '../../../ui/native/button.tsx';
import { searchRows } from '../section/row-search.ts';
import { LiveFrame } from './live-frame.tsx';
import type { LivePageProps } from './live-page.ts';
import { LiveTable } from './live-table.tsx';
import { useLiveReading } from './use-live-reading.ts';
import { joined, useOlder } from './use-older.ts';

const texts = {
  search: ['在已加载的记录中查找', 'Search loaded records'],
  count: ['已加载 {0} 条', '{0} loaded'],
  found: ['{0} 条匹配，共加载 {1} 条', '{0} of {1} match'],
  older: ['加载更早的记录', 'Load older'],
  over: ['没有更早的记录', 'No older records'],
  failed: ['更早的记录读取失败，请重试', 'Older records could not be read. Try again.'],
  empty: ['暂无记录', 'No records'],
  none: ['没有匹配的记录', 'No record matches'],
} as const satisfies Record<string, Text>;

/** Log of the gateway, newest first, as far back as it is stored. */
const LogPage = ({ deviceId, page }: LivePageProps) => {
  const [received, setReceived] = useState<readonly Values[]>([]);
  const live = useLiveReading(deviceId, page);
  const { reading, refs, searchText } = live;
  const older = useOlder(deviceId, page.key);
  const latest = reading?.rows;
  useEffect(() => {
    if (latest) setReceived((old) => joined(latest, old));
  }, [latest]);
  const rows = joined(received, older.rows);
  const found = searchRows(page.fields, rows, refs, searchText);
  const isOver = older.state === 'over' || (reading?.more === false && older.rows.length === 0);
  const count = searchText.trim() === '' ? t(texts.count, rows.length) : t(texts.found, found.length, rows.length);
  const hasRows = rows.length > 0;
  return (
    <LiveFrame page={page} live={live} rows={rows} found={found} texts={texts} isSearchable={hasRows} count={hasRows ? count : undefined}>
      {found.length > 0 && <LiveTable fields={page.fields} rows={found} refs={refs} label={t(page.title)} isSortable={false} />}
      {hasRows && (
        <p className="row live-older">
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
    </LiveFrame>
  );
};
export default LogPage;
