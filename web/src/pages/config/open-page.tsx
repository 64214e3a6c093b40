import type { ConfigNode } from '@farlink/contract/config/config.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { PageKind } from '@farlink/gateway/kit/page.ts';
import { type ComponentType, lazy, Suspense } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { Unread } from '../../kit/chrome/read-failed.tsx';
import { usePage } from '../../kit/document/schema.ts';
import { EmptyState } from '../../ui/native/empty-state.tsx';
import type { LivePageProps } from './live/live-page.ts';
import { SectionPage } from './section/section-page.tsx';
import { UnreadSection } from './section/unread-section.tsx';
import { usePageData } from './use-config.ts';

const texts = {
  none: ['没有此页面，或您无权打开', 'Page not found, or you do not have permission to open it'],
  loading: ['加载中…', 'Loading…'],
} as const satisfies Record<string, Text>;

type LiveKind = Exclude<PageKind, 'form' | 'list'>;

/** Pages that are not part of the configuration. */
const livePages: Readonly<Record<LiveKind, ComponentType<LivePageProps>>> = {
  status: lazy(() => import('./live/status-page.tsx')),
  log: lazy(() => import('./live/log-page.tsx')),
  action: lazy(() => import('./live/action-page.tsx')),
  wizard: lazy(() => import('./live/wizard-page.tsx')),
  terminal: lazy(() => import('./live/terminal-page.tsx')),
};

const Waiting = () => (
  <p className="record-wait muted" role="status">
    {t(texts.loading)}
  </p>
);

interface OpenPageProps {
  readonly deviceId: number;
  readonly pageKey: string;
  readonly node: ConfigNode | undefined;
  readonly hrefOf: (page: string) => string | undefined;
  readonly at: string | null;
}

const OpenSection = ({ deviceId, pageKey, node, hrefOf, at }: OpenPageProps & { readonly node: ConfigNode }) => {
  const page = usePage(pageKey);
  const { data, isError, refetch } = usePageData(deviceId, pageKey);
  if (isError && !data) return <Unread retry={refetch} />;
  if (!page || !data) return <Waiting />;
  if (data.state === 'unread') return <UnreadSection deviceId={deviceId} page={page} data={data} />;
  return <SectionPage deviceId={deviceId} page={page} data={data} node={node} hrefOf={hrefOf} at={at} />;
};

/** The page of the URL, by its kind. */
export const OpenPage = (props: OpenPageProps) => {
  const { deviceId, pageKey, node } = props;
  const page = usePage(pageKey);
  if (!node || page === null) return <EmptyState title={t(texts.none)} />;
  if (node.kind === 'form' || node.kind === 'list') return <OpenSection {...props} node={node} />;
  if (!page) return <Waiting />;
  const Live = livePages[node.kind];
  return (
    <Suspense fallback={<Waiting />}>
      <Live deviceId={deviceId} page={page} writable={node.writable} hrefOf={props.hrefOf} />
    </Suspense>
  );
};
