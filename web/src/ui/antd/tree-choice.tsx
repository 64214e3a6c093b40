import { TreeSelect } from 'antd';

export interface TreeChoiceNode {
  readonly value: number;
  readonly label: string;
  /** A form cannot choose it, but its children can be chosen. */
  readonly closed?: boolean;
  readonly children: readonly TreeChoiceNode[];
}

interface TreeChoiceProps {
  readonly id: string;
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
  readonly nodes: readonly TreeChoiceNode[];
  readonly placeholder: string;
  readonly status: 'error' | undefined;
  readonly loading: boolean;
  readonly autoFocus: boolean;
  /** In a filter it opens on mount, because the operator has just focused it. */
  readonly isFilter: boolean;
  /** Cannot be chosen, including its children. */
  readonly barred: number | undefined;
}

interface AntNode {
  value: number;
  title: string;
  disabled: boolean;
  children: AntNode[];
}
const antNodes = (nodes: readonly TreeChoiceNode[], isFilter: boolean, barred: number | undefined, isBelow = false): AntNode[] =>
  nodes.map((n) => {
    const isBarred = isBelow || n.value === barred;
    const disabled = isBarred || (n.closed === true && !isFilter);
    return { value: n.value, title: n.label, disabled, children: antNodes(n.children, isFilter, barred, isBarred) };
  });

const TreeChoice = ({ id, value, onChange, nodes, placeholder, status, loading, autoFocus, isFilter, barred }: TreeChoiceProps) => (
  <TreeSelect
    id={id}
    value={value ?? null}
    onChange={(next) => onChange(next ?? undefined)}
    treeData={antNodes(nodes, isFilter, barred)}
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
);
export default TreeChoice;
