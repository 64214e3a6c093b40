import type { Text } from '@farlink/contract/kit/text.ts';
import { tips } from '../../ui/browser/tip.ts';
import { t } from '../chrome/lang.ts';
import { cardLayout } from './card-layout.ts';
import { Cell } from './cell.tsx';
import { DataCard } from './data-card.tsx';
import { EmptyTable } from './empty-table.tsx';
import { choosePage, PageBox } from './page-box.tsx';
import type { TableProps } from './table-props.ts';
import '../../ui/styles/cards.css';
import { useReveal } from './use-reveal.ts';

const texts = {
  total: ['合计', 'Total'],
} as const satisfies Record<string, Text>;

const skeletonKeys = ['a', 'b', 'c', 'd'];

/** A list on a phone: one card per row. */
export const CardList = ({ list, page, view, offers, act, open, chosen }: TableProps) => {
  const { rows, loading, refreshing, failed, sums } = list;
  const reveal = useReveal(page);
  const layout = cardLayout(view.columns, page.resource);
  const isEmpty = failed || (!loading && rows.length === 0);
  return (
    <div className="card-frame" data-dim={refreshing} {...tips}>
      {chosen && !isEmpty && (
        <div className="muted cards-all">
          <PageBox chosen={chosen} rows={rows} />
          <span aria-hidden="true">{t(choosePage)}</span>
        </div>
      )}
      <ul className="cards" aria-busy={loading || refreshing}>
        {loading &&
          !failed &&
          skeletonKeys.map((key) => (
            <li key={key} className="data-card">
              <span className="skeleton" />
              <span className="skeleton" />
            </li>
          ))}
        {!isEmpty &&
          rows.map((row) => (
            <DataCard
              key={row.id}
              row={row}
              layout={layout}
              resource={page.resource}
              offers={offers}
              act={act}
              open={open}
              reveal={reveal}
              chosen={chosen}
            />
          ))}
      </ul>
      {sums && !isEmpty && !loading && (
        <dl className="card-facts card-sums" aria-label={t(texts.total)}>
          {view.columns
            .filter(({ name }) => name in sums)
            .map(({ name, field }) => (
              <div key={name}>
                <dt>
                  {t(texts.total)} · {t(field.label)}
                </dt>
                <dd>
                  <Cell field={field} value={sums[name]} />
                </dd>
              </div>
            ))}
        </dl>
      )}
      {isEmpty && <EmptyTable list={list} hint={page.emptyHint} />}
    </div>
  );
};
