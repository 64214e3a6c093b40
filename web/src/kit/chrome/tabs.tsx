import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { type ReactNode, Suspense, useId } from 'react';
import { useSearchParams } from 'react-router';
import { TabRow } from '../../ui/native/tab-row.tsx';
import { useMe } from '../net/session.ts';
import { t } from './lang.ts';

export interface Tab {
  readonly key: string;
  readonly title: Text;
  /** The call that the tab needs; without permission the tab is hidden. */
  readonly call?: Endpoint;
  /** Created when the tab is opened. */
  readonly content: () => ReactNode;
}

/** Tabs of a page. The current tab is in the URL, so a reload or a link keeps it. */
export const Tabs = ({ tabs }: { readonly tabs: readonly Tab[] }) => {
  const me = useMe();
  const id = useId();
  const [query, setQuery] = useSearchParams();
  const open = tabs.filter((tab) => !tab.call || mayCall(tab.call, me));
  const current = open.find((tab) => tab.key === query.get('tab')) ?? open[0];
  if (!current) return null;
  const select = (key: string) => {
    const next = new URLSearchParams(query);
    next.set('tab', key);
    setQuery(next, { replace: true, preventScrollReset: true });
  };
  return (
    <section className="card tabs">
      <TabRow tabs={open.map(({ key, title }) => ({ name: key, label: t(title) }))} current={current.key} onSelect={select} controls={id} />
      <div id={id} role="tabpanel" aria-label={t(current.title)} key={current.key}>
        <Suspense>{current.content()}</Suspense>
      </div>
    </section>
  );
};
