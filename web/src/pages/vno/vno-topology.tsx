import { agentMode } from '@farlink/contract/choices.ts';
import { pick } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { type AgentNode, vnoCalls, vnoTopology } from '@farlink/contract/vno/vno.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { offersOf } from '../../kit/actions/action-state.ts';
import { openAs } from '../../kit/actions/open-as.ts';
import { usePageActions } from '../../kit/actions/use-page-actions.tsx';
import { t } from '../../kit/chrome/lang.ts';
import { ReadFailed } from '../../kit/chrome/read-failed.tsx';
import { OptionSelect } from '../../kit/form/option-select.tsx';
import { RecordView } from '../../kit/form/record-view.tsx';
import { call } from '../../kit/net/call.ts';
import { useMe } from '../../kit/net/session.ts';
import { SearchInput } from '../../ui/antd/input.ts';
import { Button } from '../../ui/native/button.tsx';
import { EmptyState } from '../../ui/native/empty-state.tsx';
import { Panel } from '../../ui/native/panel.tsx';
import { Point } from '../../ui/native/tag.tsx';
import { TopologyChart } from './topology-chart.tsx';
import './topology.css';
import { flatten, pathTo } from './tree-layout.ts';

const texts = {
  root: ['根节点VNO', 'Root VNO'],
  search: ['搜索VNO名称，回车定位下一个', 'Search by name, Enter for the next'],
  hits: ['{0}/{1}', '{0} of {1}'],
  noHit: ['无匹配', 'No match'],
  openAll: ['全部展开', 'Expand all'],
  closeAll: ['全部收起', 'Collapse all'],
  failed: ['拓扑加载失败', 'The topology could not be loaded'],
  retry: ['重试', 'Retry'],
} as const satisfies Record<string, Text>;

/** Deeper branches start collapsed. */
const openLevels = 2;
const openedAtFirst = (roots: readonly AgentNode[], depth = 0): number[] =>
  depth >= openLevels ? [] : roots.flatMap((node) => [node.id, ...openedAtFirst(node.children, depth + 1)]);

const none: readonly AgentNode[] = [];

const matching = (all: readonly AgentNode[], text: string): readonly AgentNode[] => {
  const searchText = text.trim().toLowerCase();
  return searchText === '' ? none : all.filter((vno) => vno.name.toLowerCase().includes(searchText));
};

const VnoTopology = () => {
  const me = useMe();
  const actions = usePageActions(vnoTopology, {});
  const [query, setQuery] = useSearchParams();
  const root = Number(query.get('vno_id')) || undefined;
  const { data, isError, refetch } = useQuery({
    queryKey: ['tree', vnoCalls.topology.path, root],
    queryFn: () => call(vnoCalls.topology, { vno_id: root }, { silent: true }),
    retry: false,
  });
  const roots = data?.list ?? none;
  const [changed, setChanged] = useState<ReadonlySet<number>>();
  const [shown, setShown] = useState<AgentNode>();
  const [toggled, setToggled] = useState<number>();
  const [home, setHome] = useState(0);
  const [search, setSearch] = useState('');
  const [hitIndex, setHitIndex] = useState(0);

  const all = flatten(roots);
  const opened = changed ?? new Set(openedAtFirst(roots));
  const searchText = search.trim();
  const hits = matching(all, searchText);
  const found = hits[hitIndex % Math.max(1, hits.length)]?.id;

  const toggle = (id: number) => {
    const next = new Set(opened);
    if (!next.delete(id)) next.add(id);
    setChanged(next);
    setToggled(id);
  };
  const openOnly = (vnos: readonly AgentNode[]) => {
    setChanged(new Set(vnos.map((vno) => vno.id)));
    setHome(home + 1);
  };
  /** Expands the path to a match; later the operator can collapse it. */
  const find = (text: string, n: number) => {
    setSearch(text);
    setHitIndex(n);
    const now = matching(all, text);
    const hit = now[n % Math.max(1, now.length)];
    if (hit) setChanged(new Set([...opened, ...(pathTo(roots, hit.id) ?? [])]));
  };
  const chooseRoot = (id: number | undefined) => {
    setChanged(undefined);
    setQuery(id === undefined ? {} : { vno_id: String(id) });
  };

  return (
    <section className="topology card" aria-label={t(vnoTopology.title)}>
      <div className="toolbar">
        {offersOf(vnoTopology, 'toolbar', me).map(({ key, action }) => (
          <Button key={key} onClick={() => actions.act(key)}>
            {t(action.label)}
          </Button>
        ))}
        <label htmlFor="topology-root" className="muted">
          {t(texts.root)}
        </label>
        <span className="topology-root">
          <OptionSelect id="topology-root" lookup={vnoCalls.option.path} value={root} onChange={chooseRoot} />
        </span>
        <SearchInput
          className="topology-search"
          allowClear
          value={search}
          placeholder={t(texts.search)}
          aria-label={t(texts.search)}
          onChange={(e) => find(e.target.value, 0)}
          onSearch={(text) => find(text, hitIndex + 1)}
        />
        {searchText !== '' && (
          <span className="muted" role="status">
            {hits.length === 0 ? t(texts.noHit) : t(texts.hits, (hitIndex % hits.length) + 1, hits.length)}
          </span>
        )}
        <span className="spring" />
        <Button onClick={() => openOnly(all)}>{t(texts.openAll)}</Button>
        <Button onClick={() => openOnly(none)}>{t(texts.closeAll)}</Button>
      </div>
      <div className="topology-canvas">
        {isError ? (
          <EmptyState title={t(texts.failed)}>
            <Button onClick={() => void refetch()}>{t(texts.retry)}</Button>
          </EmptyState>
        ) : (
          <TopologyChart roots={roots} opened={opened} found={found} home={home} toggled={toggled} toggle={toggle} open={setShown} />
        )}
        <div className="small topology-legend">
          {agentMode.map((mode) => (
            <Point key={mode.id} color={mode.color}>
              {t(mode.label)}
            </Point>
          ))}
        </div>
      </div>
      {shown && <Detail vno={shown} onClose={() => setShown(undefined)} />}
      {actions.open}
    </section>
  );
};
export default VnoTopology;

const Detail = ({ vno, onClose }: { readonly vno: AgentNode; readonly onClose: () => void }) => {
  const me = useMe();
  const { data, isError, refetch } = useQuery({
    queryKey: ['detail', vnoCalls.read.path, vno.id],
    queryFn: () => call(vnoCalls.read, { id: vno.id }, { silent: true, overlay: false }),
    retry: false,
  });
  const login = offersOf(vnoTopology, 'row', me, { ...vno }).find((offer) => offer.key === 'login');
  const enter = login && !login.refusal && (
    <Button kind="primary" onClick={() => void openAs(vnoCalls.login, vno.id).catch(() => undefined)}>
      {t(login.action.label)}
    </Button>
  );
  return (
    <Panel title={vno.name} onClose={onClose} extra={enter}>
      {isError && !data && <ReadFailed retry={refetch} />}
      <RecordView
        fields={{ ...pick(vnoTopology.resource.fields, ...vnoTopology.resource.columns), ...(data && vnoCalls.read.output) }}
        record={{ ...vno, ...data }}
      />
    </Panel>
  );
};
