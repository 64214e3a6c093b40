import type { ConfigNode, ConfigTree } from '@farlink/contract/config/config.ts';
import { gatewayConfig } from '@farlink/contract/config/gateway-config.ts';
import { device } from '@farlink/contract/device/device-resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link, Navigate, useBeforeUnload, useSearchParams } from 'react-router';
import { offersOf } from '../../kit/actions/action-state.ts';
import { t } from '../../kit/chrome/lang.ts';
import { useRouteId } from '../../kit/chrome/route.ts';
import { RecordState } from '../../kit/form/record-state.tsx';
import { useLeaveGuard } from '../../kit/form/use-leave-guard.ts';
import { Cell } from '../../kit/list/cell.tsx';
import { readSession, useMe } from '../../kit/net/session.ts';
import { tips } from '../../ui/browser/tip.ts';
import { useNarrow } from '../../ui/browser/use-media.ts';
import { ActionButton } from '../../ui/native/action-button.tsx';
import '../../ui/styles/detail.css';
import '../../ui/styles/page.css';
import './config.css';
import './config-tree.css';
import './config-page.css';
import './apply.css';
import './overview.css';
import './tools.css';
import './config-narrow.css';
import { openRemote } from '../../kit/actions/open-remote.ts';
import { DraftBar } from './apply/draft-bar.tsx';
import { EditsContext, makeEdits, useUnsaved } from './apply/edits.ts';
import { ConfigTreeNav, hrefOf } from './frame/config-tree.tsx';
import { nodeOf } from './frame/page-search.ts';
import { QuickStrip } from './frame/quick-strip.tsx';
import { OpenPage } from './open-page.tsx';
import { Tools } from './tools/tools.tsx';
import { isMissing, refreshConfig, useLiveConfig, useTree } from './use-config.ts';

const PermissionDialog = lazy(() => import('./tools/permission-dialog.tsx'));
const Overview = lazy(() => import('./frame/overview.tsx'));

const texts = {
  accounts: ['账号权限', 'Account permissions'],
  home: ['配置总览', 'Overview'],
  pages: ['配置页面', 'Configuration pages'],
} as const satisfies Record<string, Text>;

const back = '/device/list';

interface HeadProps {
  readonly tree: ConfigTree;
  readonly page: string | undefined;
  readonly onChanged: () => void;
}

const Head = ({ tree, page, onChanged }: HeadProps) => {
  const me = useMe();
  const [isOpen, setOpen] = useState(false);
  const { device: box } = tree;
  const offers = offersOf(gatewayConfig, 'toolbar', me, { ...box });
  const run = { save: () => setOpen(true), router: () => void openRemote('router', box) };
  return (
    <header className="row card config-head" {...tips}>
      <Link className="config-name clip" to={`/device/detail/${box.id}`} data-tip="">
        {box.name}
      </Link>
      {box.name !== box.sn && <span className="mono muted clip">{box.sn}</span>}
      <Cell field={device.fields.online_state} value={box.online_state} />
      {box.online_state === 1 && <Cell field={device.fields.network} value={box.network} />}
      <QuickStrip tree={tree} page={page} />
      <Tools device={box} page={page} onChanged={onChanged} />
      {offers.map(({ key, action, refusal }) => (
        <ActionButton
          key={key}
          label={t(key === 'save' ? texts.accounts : action.label)}
          refusal={refusal && t(refusal)}
          onClick={() => (key === 'save' ? run.save() : run.router())}
        />
      ))}
      {isOpen && (
        <Suspense>
          <PermissionDialog deviceId={box.id} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </header>
  );
};

/** The whole configuration of one gateway: page list, open page, and pending changes. */
const GatewayConfig = () => {
  const id = useRouteId();
  const client = useQueryClient();
  const [edits] = useState(makeEdits);
  const [query] = useSearchParams();
  const { data: tree, error, refetch } = useTree(id);
  const unsaved = useUnsaved(edits);
  const isNarrow = useNarrow();
  useLiveConfig(id);
  const guides = tree?.groups.flatMap(({ pages }) => pages.filter(({ kind }) => kind === 'wizard')) ?? [];
  useLeaveGuard(() => unsaved.length > 0 || edits.isUnstored() || guides.some(({ key }) => edits.inputs.has(key)), edits.isUnstored);
  // Valid edits are saved when another page opens; closing the tab does not wait for that.
  useBeforeUnload((e) => {
    if (readSession() && edits.isPending()) e.preventDefault();
  });
  if (!tree || isMissing(error)) {
    const loaded = { record: undefined, isMissing: isMissing(error), failed: error !== null, reload: () => void refetch() };
    return <RecordState loaded={loaded} back={back} />;
  }
  const pageKey = query.get('page');
  const node: ConfigNode | undefined = nodeOf(tree.groups, pageKey);
  if (node?.quick && nodeOf(tree.groups, node.quick)) return <Navigate to={hrefOf(node.quick)} replace />;
  const mayOpen = (page: string) => (nodeOf(tree.groups, page) ? hrefOf(page) : undefined);
  const nav = <ConfigTreeNav tree={tree} current={node?.key} unsaved={unsaved} />;
  const changed = () => {
    edits.drop();
    void refreshConfig(client, id);
  };
  return (
    <EditsContext value={edits}>
      <div className="config-shell">
        <Head tree={tree} page={node?.key} onChanged={changed} />
        <div className="columns config-body">
          {isNarrow ? (
            // Closes when another page opens.
            <details key={node?.key} className="card config-pages">
              <summary>{t(texts.pages)}</summary>
              {nav}
            </details>
          ) : (
            nav
          )}
          <section className="card config-main" aria-label={node ? t([node.zh, node.en]) : t(texts.home)}>
            {pageKey === null ? (
              <Suspense>
                <Overview tree={tree} />
              </Suspense>
            ) : (
              <OpenPage key={pageKey} deviceId={id} pageKey={pageKey} node={node} hrefOf={mayOpen} at={query.get('at')} />
            )}
          </section>
        </div>
        <DraftBar deviceId={id} tree={tree} current={node?.key} unsaved={unsaved} hrefOf={mayOpen} />
      </div>
    </EditsContext>
  );
};
export default GatewayConfig;
