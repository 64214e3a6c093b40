import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Fields } from '@farlink/contract/kit/field.ts';
import type { Page } from '@farlink/contract/kit/page.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { ReactNode } from 'react';
import { tips } from '../../ui/browser/tip.ts';
import { useWidth } from '../../ui/browser/use-width.ts';
import { valueAt } from '../../ui/format.ts';
import { ActionBar } from '../actions/action-bar.tsx';
import { offersOf } from '../actions/action-state.ts';
import { t } from '../chrome/lang.ts';
import { useBack } from '../chrome/route.ts';
import { Cell } from '../list/cell.tsx';
import { RecordState } from './record-state.tsx';
import { RecordView } from './record-view.tsx';
import { type SectionNames, sectionsOf } from './sections.ts';
import '../../ui/styles/detail.css';
import { type PageActions, type Run, usePageActions } from '../actions/use-page-actions.tsx';
import { type Tab, Tabs } from '../chrome/tabs.tsx';
import { useMe } from '../net/session.ts';
import { useRecord } from './use-record.ts';

interface DetailPageProps {
  /** All its actions are offered for the record, each with its own condition. */
  readonly page: Page;
  /** Returns the record by its id. */
  readonly read: Endpoint;
  readonly id: number;
  readonly fields: Fields;
  /** The field with the name of the record, and the fields next to the name. */
  readonly name: string;
  readonly tags?: readonly string[];
  readonly sections?: readonly SectionNames[];
  readonly tabs?: (record: AnyRow) => readonly Tab[];
  /** Content between the facts and the tabs. */
  readonly middle?: (record: AnyRow, actions: PageActions) => ReactNode;
  readonly run?: Run;
  /** Target route when the record no longer exists. */
  readonly back: string;
}

/** Share of the line for the name; the buttons get the rest. */
const nameShare = 0.45;

/** A page about one record: name, state, actions, facts and tabs. */
export const DetailPage = (props: DetailPageProps) => {
  const { page, read, id, fields, name, tags = [], sections = [], tabs, middle, run, back } = props;
  const me = useMe();
  const [bar, width] = useWidth(1000);
  const goBack = useBack(back);
  const loaded = useRecord(read, id);
  const actions = usePageActions(page, {}, run, (ids, e) => e.kind === 'delete' && ids.length > 0 && goBack());
  const { record } = loaded;
  if (!record) return <RecordState loaded={loaded} back={back} />;
  return (
    <div className="detail-page">
      <header className="row card detail-head" ref={bar} {...tips}>
        <h2 className="clip" data-tip="">
          {String(valueAt(record, name) ?? id)}
        </h2>
        <span className="row detail-tags">
          {tags.map((tag) => {
            const field = fields[tag];
            return field && <Cell key={tag} field={field} value={valueAt(record, tag)} />;
          })}
        </span>
        <span className="spring" />
        <ActionBar
          offers={offersOf(page, 'record', me, record)}
          act={(key) => actions.act(key, record)}
          availableWidth={width * (1 - nameShare)}
        />
      </header>
      <section className="card detail-facts">
        {sectionsOf(fields, sections).map((section) => (
          <div key={section.key}>
            {section.title && <h3>{t(section.title)}</h3>}
            <RecordView page={page} fields={Object.fromEntries(section.fields)} record={record} isGrid />
          </div>
        ))}
      </section>
      {middle?.(record, actions)}
      {tabs && <Tabs tabs={tabs(record)} />}
      {actions.open}
    </div>
  );
};
