import { TreeSelect } from 'antd';
import { Themed } from '../theme/themed.tsx';

export interface TreeSelectManyNode {
  readonly value: string;
  readonly label: string;
  readonly children: readonly TreeSelectManyNode[];
}

interface TreeManyProps {
  readonly id: string;
  readonly value: readonly string[];
  readonly onChange: (values: string[]) => void;
  readonly nodes: readonly TreeSelectManyNode[];
  readonly placeholder: string;
  readonly status: 'error' | undefined;
}

interface AntNode {
  value: string;
  title: string;
  children: AntNode[];
}
const antNodes = (nodes: readonly TreeSelectManyNode[]): AntNode[] =>
  nodes.map((n) => ({ value: n.value, title: n.label, children: antNodes(n.children) }));

/** Several nodes of a tree; a fully chosen branch includes all its leaves. */
const TreeSelectMany = ({ id, value, onChange, nodes, placeholder, status }: TreeManyProps) => (
  <Themed>
    <TreeSelect
      id={id}
      value={[...value]}
      onChange={(next: string[]) => onChange(next)}
      treeData={antNodes(nodes)}
      treeCheckable
      showCheckedStrategy={TreeSelect.SHOW_PARENT}
      showSearch={{ treeNodeFilterProp: 'title' }}
      allowClear
      maxTagCount={12}
      placeholder={placeholder}
      status={status}
      popupMatchSelectWidth={420}
      style={{ width: '100%' }}
    />
  </Themed>
);
export default TreeSelectMany;
