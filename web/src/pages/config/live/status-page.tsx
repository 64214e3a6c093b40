import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import type { Refs } from '../../../kit/document/value-text.ts';
import { tips } from '../../../ui/browser/tip.ts';
import { EmptyState } from '../../../ui/native/empty-state.tsx';
import { LineInput } from '../../../ui/native/line-input.tsx';
import { searchRows } from '../section/row-search.ts';
import { usePageData } from '../use-config.ts';
import { LiveHead } from './live-head.tsx';
import type { LivePageProps } from './live-page.ts';
import { LiveTable } from './live-table.tsx';
import { LiveValue } from './live-value.tsx';
import { useWatch } from './use-watch.ts';

const texts = {
  search: ['在结果中查找', 'Search the rows'],
  shown: ['显示 {0} 行，共 {1} 行', '{0} of {1} rows'],
  empty: ['网关上暂无此类数据', 'The gateway has no data of this kind'],
  none: ['没有匹配的行', 'No row matches'],
  loading: ['正在读取…', 'Reading…'],
} as const satisfies Record<string, Text>;

/** With more columns than this, a row is shown vertically. */
const mostColumns = 18;
const searchable = 8;

const Facts = ({ page, rows, refs }: { readonly page: GatewayPage; readonly rows: readonly Values[]; readonly refs: Refs }) => (
  <div className="live-facts" {...tips}>
    {rows.map((row, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: gateway rows have no id
      <dl key={i}>
        {Object.entries(page.fields).map(([name, field]) => (
          <div key={name}>
            <dt>{t(field.label)}</dt>
            <dd>
              <LiveValue name={name} field={field} value={row[name]} refs={refs} />
            </dd>
          </div>
        ))}
      </dl>
    ))}
  </div>
);

/** Current state of the gateway: one record or several rows. */
const StatusPage = ({ deviceId, page }: LivePageProps) => {
  const [isPaused, setPaused] = useState(false);
  const [typed, setTyped] = useState('');
  const { reading, failed, readAt, ask } = useWatch(deviceId, page.key, isPaused);
  const refs = usePageData(deviceId, page.key).data?.refs ?? {};
  const rows = reading?.rows ?? [];
  const isFacts = Object.keys(page.fields).length > mostColumns;
  const found = searchRows(page.fields, rows, refs, typed);
  const total = reading?.total ?? rows.length;
  return (
    <div className="live-page">
      <LiveHead page={page} reading={reading} readAt={readAt} failed={failed} isPaused={isPaused} onPause={setPaused} onAsk={ask}>
        {!isFacts && total > found.length && <span className="muted">{t(texts.shown, found.length, total)}</span>}
        {!isFacts && rows.length > searchable && (
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
        )}
      </LiveHead>
      {!reading && !failed && <p className="muted">{t(texts.loading)}</p>}
      {reading && rows.length === 0 && reading.at !== null && <EmptyState title={t(texts.empty)} />}
      {rows.length > 0 && found.length === 0 && <EmptyState title={t(texts.none)} />}
      {isFacts ? (
        <Facts page={page} rows={rows} refs={refs} />
      ) : (
        found.length > 0 && <LiveTable fields={page.fields} rows={found} refs={refs} label={t(page.title)} />
      )}
    </div>
  );
};
export default StatusPage;
