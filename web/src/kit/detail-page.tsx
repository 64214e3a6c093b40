import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Fields } from '@farlink/contract/kit/field.ts';
import type { AnyRow, Page } from '@farlink/contract/kit/resource.ts';
import type { ReactNode } from 'react';
import { valueAt } from '../ui/format.ts';
import { tips } from '../ui/tip.ts';
import { useWidth } from '../ui/use-width.ts';
import { ActionBar } from './action-bar.tsx';
import { offersOf } from './action-state.ts';
import { Cell } from './cell.tsx';
import { t } from './lang.ts';
import { RecordState } from './record-state.tsx';
import { RecordView } from './record-view.tsx';
import { useBack } from './route.ts';
import { type SectionNames, sectionsOf } from './sections.ts';
import '../ui/detail.css';
import { useMe } from './session.ts';
import { type Tab, Tabs } from './tabs.tsx';
import { type PageActions, type Run, usePageActions } from './use-page-actions.tsx';
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
      <header className="card detail-head" ref={bar} {...tips}>
        <h2 className="clip" data-tip="">
          {String(valueAt(record, name) ?? id)}
        </h2>
        <span className="detail-tags">
          {tags.map((tag) => {
            const field = fields[tag];
            return field && <Cell key={tag} field={field} value={valueAt(record, tag)} />;
          })}
        </span>
        <span className="spring" />
        <ActionBar offers={offersOf(page, 'record', me, record)} act={(key) => actions.act(key, record)} room={width * (1 - nameShare)} />
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
