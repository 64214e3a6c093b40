import { TreeSelect } from 'antd';
import { Themed } from '../theme/themed.tsx';

export interface TreeSelectNode {
  readonly value: number;
  readonly label: string;
  /** A form cannot choose it, but its children can be chosen. */
  readonly closed?: boolean;
  readonly children: readonly TreeSelectNode[];
}

interface TreeSelectOneProps {
  readonly id: string;
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
  readonly nodes: readonly TreeSelectNode[];
  readonly placeholder: string;
  readonly status: 'error' | undefined;
  readonly loading: boolean;
  readonly autoFocus: boolean;
  /** In a filter it opens on mount, because the operator has just focused it. */
  readonly isFilter: boolean;
  /** Cannot be chosen, including its children. */
  readonly excluded: number | undefined;
}

interface AntNode {
  value: number;
  title: string;
  disabled: boolean;
  children: AntNode[];
}
const antNodes = (nodes: readonly TreeSelectNode[], isFilter: boolean, excluded: number | undefined, isBelow = false): AntNode[] =>
  nodes.map((n) => {
    const isExcluded = isBelow || n.value === excluded;
    const disabled = isExcluded || (n.closed === true && !isFilter);
    return { value: n.value, title: n.label, disabled, children: antNodes(n.children, isFilter, excluded, isExcluded) };
  });

const TreeSelectOne = ({ id, value, onChange, nodes, placeholder, status, loading, autoFocus, isFilter, excluded }: TreeSelectOneProps) => (
  <Themed>
    <TreeSelect
      id={id}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
      treeData={antNodes(nodes, isFilter, excluded)}
      treeDefaultExpandedKeys={nodes.map((n) => n.value)}
      showSearch={{ treeNodeFilterProp: 'title' }}
      allowClear
      placeholder={placeholder}
      status={status}
      loading={loading}
      autoFocus={autoFocus}
      defaultOpen={isFilter}
      popupMatchSelectWidth={320}
      style={{ width: '100%' }}
    />
  </Themed>
);
export default TreeSelectOne;
