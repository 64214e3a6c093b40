import { permItem } from '@farlink/contract/choices.ts';
import type { Grant } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { PermissionNode } from '@farlink/contract/permission/role.ts';
import { useState } from 'react';
import { Input } from '../../ui/antd/input.ts';
import { SegmentedRow } from '../../ui/native/segmented-row.tsx';
import { TreeBranch } from '../../ui/native/tree-branch.tsx';
import '../../ui/styles/grant.css';
import { lang, t } from '../chrome/lang.ts';
import { type Grants, groupMark, isGrant, itemMark, setNode, type Tree } from './grant-state.ts';

const texts = {
  search: ['搜索权限项', 'Search permissions'],
  none: ['没有匹配的权限项', 'No permission matches'],
  mixed: ['部分', 'Mixed'],
  open: ['展开', 'Expand'],
} as const satisfies Record<string, Text>;

/** The branches with a match; a match keeps all its children. */
const matching = (nodes: Tree, searchText: string): PermissionNode[] =>
  nodes.flatMap((node) => {
    if (`${node.zh} ${node.en} ${node.key}`.toLowerCase().includes(searchText)) return [node];
    const children = matching(node.children, searchText);
    return children.length > 0 ? [{ ...node, children }] : [];
  });

const options = permItem.map((o) => ({ id: o.id, label: t(o.label) }));
/** A read call has two states; so has an item that the session can only view. */
const withoutOperable = options.filter(({ id }) => id !== '11');

interface BranchProps {
  readonly node: PermissionNode;
  readonly depth: number;
  readonly grants: Grants;
  readonly opened: boolean;
  readonly set: ((node: PermissionNode, grant: Grant) => void) | undefined;
}

const Branch = ({ node, depth, grants, opened, set }: BranchProps) => {
  const mark = depth === 0 ? groupMark(node, grants) : itemMark(node, grants);
  const title = lang === 'zh' ? node.zh : node.en;
  const head = (
    <>
      <span className="clip">{title}</span>
      {set ? (
        <SegmentedRow
          label={title}
          options={node.most === '11' ? options : withoutOperable}
          value={mark}
          otherwise={t(texts.mixed)}
          onSelect={(id) => isGrant(id) && set(node, id)}
        />
      ) : (
        <span className="muted mono">{node.method_path}</span>
      )}
    </>
  );
  return (
    <TreeBranch
      className="row grant-row"
      depth={depth}
      indent={20}
      openLabel={node.children.length > 0 ? `${t(texts.open)} ${title}` : undefined}
      isForced={opened}
      head={head}
    >
      {() =>
        node.children.map((child) => <Branch key={child.key} node={child} depth={depth + 1} grants={grants} opened={opened} set={set} />)
      }
    </TreeBranch>
  );
};

interface GrantTreeProps {
  readonly id?: string;
  readonly tree: Tree;
  readonly grants: Grants;
  /** Without it the tree is read-only and shows the name of each call. */
  readonly onChange?: (grants: Grants) => void;
}

const GrantTree = ({ id, tree, grants, onChange }: GrantTreeProps) => {
  const [search, setSearch] = useState('');
  const searchText = search.trim().toLowerCase();
  const shown = searchText === '' ? tree : matching(tree, searchText);
  // The search result has copies of nodes, so the original node is set.
  const real = (node: PermissionNode) => (searchText === '' ? node : (find(tree, node.key) ?? node));
  const set = onChange && ((node: PermissionNode, grant: Grant) => onChange(setNode(tree, real(node), grant, grants)));
  return (
    <div className="grant-tree">
      <Input
        id={id}
        allowClear
        value={search}
        placeholder={t(texts.search)}
        onChange={(e) => setSearch(e.target.value)}
        onPressEnter={(e) => e.preventDefault()}
      />
      <ul>
        {shown.map((node) => (
          <Branch key={node.key} node={node} depth={0} grants={grants} opened={searchText !== ''} set={set} />
        ))}
        {shown.length === 0 && <li className="muted">{t(texts.none)}</li>}
      </ul>
    </div>
  );
};

const find = (nodes: Tree, key: string): PermissionNode | undefined => {
  for (const node of nodes) {
    const found = node.key === key ? node : find(node.children, key);
    if (found) return found;
  }
  return undefined;
};

export default GrantTree;
