import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import type { ReactNode } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { EmptyState } from '../../../ui/native/empty-state.tsx';
import { LineInput } from '../../../ui/native/line-input.tsx';
import { LiveHead } from './live-head.tsx';
import type { LiveReading } from './use-live-reading.ts';

const loading: Text = ['正在读取…', 'Reading…'];

interface LiveFrameProps {
  readonly page: GatewayPage;
  readonly live: LiveReading;
  readonly rows: readonly Values[];
  readonly found: readonly Values[];
  readonly texts: Readonly<Record<'search' | 'empty' | 'none', Text>>;
  readonly isSearchable: boolean;
  /** Number of rows, beside the search. */
  readonly count: string | undefined;
  readonly children: ReactNode;
}

/** Header, search, loading and empty states of a page with rows from the gateway. */
export const LiveFrame = ({ page, live, rows, found, texts, isSearchable, count, children }: LiveFrameProps) => (
  <div className="live-page">
    <LiveHead page={page} live={live}>
      {count !== undefined && <span className="muted">{count}</span>}
      {isSearchable && (
        <span className="live-search">
          <LineInput
            id="live-search"
            type="search"
            value={live.searchText}
            onChange={live.setSearchText}
            placeholder={t(texts.search)}
            label={t(texts.search)}
          />
        </span>
      )}
    </LiveHead>
    {!live.reading && !live.failed && <p className="muted">{t(loading)}</p>}
    {live.reading && rows.length === 0 && live.reading.at !== null && <EmptyState title={t(texts.empty)} />}
    {rows.length > 0 && found.length === 0 && <EmptyState title={t(texts.none)} />}
    {children}
  </div>
);
