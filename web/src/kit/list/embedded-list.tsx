import type { Values } from '@farlink/contract/kit/values.ts';
import { tips } from '../../ui/browser/tip.ts';
import { useWidth } from '../../ui/browser/use-width.ts';
import { ActionBar } from '../actions/action-bar.tsx';
import { offersOf } from '../actions/action-state.ts';
import { type Run, usePageActions } from '../actions/use-page-actions.tsx';
import { useMe } from '../net/session.ts';
import PlainList, { type ListDefinition, listPageOf } from './plain-list.tsx';

interface EmbeddedListProps {
  readonly page: ListDefinition;
  /** Parameters of all rows, sent with the list and with toolbar actions. */
  readonly params: Values;
  /** Columns that have the same value in every row. */
  readonly without?: readonly string[];
  readonly run?: Run;
}

/** A list inside another page, with toolbar and row actions. */
export const EmbeddedList = ({ page, params, without, run }: EmbeddedListProps) => {
  const me = useMe();
  const [bar, width] = useWidth(800);
  const listPage = listPageOf(page);
  const actions = usePageActions(listPage, { ...listPage.listParams, ...params }, run);
  const offers = offersOf(listPage, 'toolbar', me);
  return (
    <>
      {offers.length > 0 && (
        <div className="toolbar" ref={bar} {...tips}>
          <ActionBar offers={offers} act={(key) => actions.act(key)} availableWidth={width} />
        </div>
      )}
      <PlainList
        page={listPage}
        params={params}
        without={without}
        offers={(row) => offersOf(listPage, 'row', me, row)}
        act={actions.act}
        open={offersOf(listPage, 'row', me).find((offer) => offer.key === 'detail')}
      />
      {actions.open}
    </>
  );
};
