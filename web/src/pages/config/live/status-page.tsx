import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { t } from '../../../kit/chrome/lang.ts';
import type { Refs } from '../../../kit/document/value-text.ts';
import { tips } from '../../../ui/browser/tip.ts';
import { searchRows } from '../section/row-search.ts';
import { LiveFrame } from './live-frame.tsx';
import type { LivePageProps } from './live-page.ts';
import { LiveTable } from './live-table.tsx';
import { LiveValue } from './live-value.tsx';
import { useLiveReading } from './use-live-reading.ts';

const texts = {
  search: ['在结果中查找', 'Search the rows'],
  shown: ['显示 {0} 行，共 {1} 行', '{0} of {1} rows'],
  empty: ['网关上暂无此类数据', 'The gateway has no data of this kind'],
  none: ['没有匹配的行', 'No row matches'],
} as const satisfies Record<string, Text>;

/** With more columns than this, a row is shown vertically. */
const maxColumns = 18;
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
  const live = useLiveReading(deviceId, page);
  const { reading, refs } = live;
  const rows = reading?.rows ?? [];
  const isFacts = Object.keys(page.fields).length > maxColumns;
  const found = searchRows(page.fields, rows, refs, live.searchText);
  const total = reading?.total ?? rows.length;
  return (
    <LiveFrame
      page={page}
      live={live}
      rows={rows}
      found={found}
      texts={texts}
      isSearchable={!isFacts && rows.length > searchable}
      count={!isFacts && total > found.length ? t(texts.shown, found.length, total) : undefined}
    >
      {isFacts ? (
        <Facts page={page} rows={rows} refs={refs} />
      ) : (
        found.length > 0 && <LiveTable fields={page.fields} rows={found} refs={refs} label={t(page.title)} />
      )}
    </LiveFrame>
  );
};
export default StatusPage;
