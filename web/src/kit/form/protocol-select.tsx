import { type ProtocolNode, protocolTree } from '@farlink/contract/package/protocol.ts';
import { useMemo } from 'react';
import TreeMany, { type TreeSelectManyNode } from '../../ui/antd/tree-select-many.tsx';
import { t } from '../chrome/lang.ts';
import { choose } from './option-select.tsx';

interface ProtocolSelectProps {
  readonly id: string;
  readonly value: unknown;
  readonly onChange: (pairs: string[]) => void;
  readonly status: 'error' | undefined;
}

const nodesOf = (nodes: readonly ProtocolNode[]): TreeSelectManyNode[] =>
  nodes.map((n) => ({ value: n.id, label: t(n.label), children: nodesOf(n.children) }));

/** Applications by category. The map is large, so it is loaded with the first form that needs it. */
const ProtocolSelect = ({ id, value, onChange, status }: ProtocolSelectProps) => {
  const nodes = useMemo(() => nodesOf(protocolTree()), []);
  return (
    <TreeMany
      id={id}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={onChange}
      nodes={nodes}
      placeholder={t(choose)}
      status={status}
    />
  );
};
export default ProtocolSelect;
