import type { Text } from '@farlink/contract/kit/text.ts';
import { type AccountNode, vnoAccount, vnoAccountCalls } from '@farlink/contract/vno/vno-account.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { t } from '../../kit/chrome/lang.ts';
import { ReadFailed } from '../../kit/chrome/read-failed.tsx';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { call } from '../../kit/net/call.ts';
import { Input } from '../../ui/antd/input.ts';
import { tips } from '../../ui/browser/tip.ts';
import { TreeBranch } from '../../ui/native/tree-branch.tsx';
import './vno.css';

const texts = {
  title: ['VNO账号拓扑', 'VNO account topology'],
  search: ['搜索VNO', 'Search VNO'],
  all: ['全部VNO', 'All VNOs'],
  open: ['展开', 'Expand'],
} as const satisfies Record<string, Text>;

const countBelow = (nodes: readonly AccountNode[]): number => nodes.reduce((sum, n) => sum + n.customer_count + countBelow(n.children), 0);

const matching = (nodes: readonly AccountNode[], searchText: string): AccountNode[] =>
  nodes.flatMap((node) => {
    const children = matching(node.children, searchText);
    return children.length > 0 || node.name.toLowerCase().includes(searchText) ? [{ ...node, children }] : [];
  });

interface NodeProps {
  readonly node: AccountNode;
  readonly depth: number;
  readonly chosen: number | undefined;
  readonly searched: boolean;
  readonly choose: (id: number | undefined) => void;
}

const Node = ({ node, depth, chosen, searched, choose }: NodeProps) => {
  const isChosen = chosen === node.id;
  const head = (
    <button
      type="button"
      className="row spread grow tree-name"
      aria-pressed={isChosen}
      onClick={() => choose(isChosen ? undefined : node.id)}
    >
      <span className="clip" data-tip="">
        {node.name}
      </span>
      <span className="muted">{node.customer_count}</span>
    </button>
  );
  return (
    <TreeBranch
      className="tree-row"
      depth={depth}
      indent={14}
      openLabel={node.children.length > 0 ? `${t(texts.open)} ${node.name}` : undefined}
      startsOpen={depth === 0}
      isForced={searched}
      isCurrent={isChosen}
      head={head}
    >
      {() =>
        node.children.map((child) => (
          <Node key={child.id} node={child} depth={depth + 1} chosen={chosen} searched={searched} choose={choose} />
        ))
      }
    </TreeBranch>
  );
};

/** Accounts of all VNOs beside the VNO tree; choosing a VNO sets the filter `vno_id` in the URL. */
const VnoAccount = () => {
  const [query, setQuery] = useSearchParams();
  const [search, setSearch] = useState('');
  const chosen = Number(query.get('vno_id')) || undefined;
  const { data, isError, refetch } = useQuery({
    queryKey: ['tree', vnoAccountCalls.topology.path],
    queryFn: () => call(vnoAccountCalls.topology, {}, { silent: true }),
    retry: false,
  });
  const nodes = data?.list ?? [];
  const searchText = search.trim().toLowerCase();
  const choose = (id: number | undefined) => {
    const next = new URLSearchParams(query);
    next.delete('page');
    if (id === undefined) next.delete('vno_id');
    else next.set('vno_id', String(id));
    setQuery(next, { preventScrollReset: true });
  };
  return (
    <div className="columns with-tree">
      <aside className="card side-tree" aria-label={t(texts.title)} {...tips}>
        <Input
          allowClear
          value={search}
          placeholder={t(texts.search)}
          aria-label={t(texts.search)}
          onChange={(e) => setSearch(e.target.value)}
        />
        <div className="tree-row" data-on={chosen === undefined}>
          <button type="button" className="row spread grow tree-name" aria-pressed={chosen === undefined} onClick={() => choose(undefined)}>
            <span>{t(texts.all)}</span>
            {data && <span className="muted">{countBelow(nodes)}</span>}
          </button>
        </div>
        {isError && !data && <ReadFailed retry={refetch} />}
        <ul>
          {(searchText === '' ? nodes : matching(nodes, searchText)).map((node) => (
            <Node key={node.id} node={node} depth={0} chosen={chosen} searched={searchText !== ''} choose={choose} />
          ))}
        </ul>
      </aside>
      <ResourcePage page={vnoAccount} run={{ tree: () => refetch() }} />
    </div>
  );
};
export default VnoAccount;
