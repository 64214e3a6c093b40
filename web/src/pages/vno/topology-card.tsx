import { agentMode } from '@farlink/contract/choices.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { AgentNode } from '@farlink/contract/vno/vno.ts';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { t } from '../../kit/chrome/lang.ts';

export const cardSize = { width: 236, height: 62 };

const counts: Text = ['设备 {0} · 卡 {1}', '{0} devices · {1} cards'];
const expand: Text = ['{1} 展开 {0}', '{1} expand {0}'];
const collapse: Text = ['− 收起 {0}', '− collapse {0}'];

export type CardNode = Node<
  { readonly vno: AgentNode; readonly isOpen: boolean; readonly isFound: boolean; readonly open: () => void; readonly toggle: () => void },
  'card'
>;

export const TopologyCard = ({ data: { vno, isOpen, isFound, open, toggle } }: NodeProps<CardNode>) => {
  const mode = agentMode.find((m) => m.id === vno.agent_mode);
  return (
    <div className={`topo-card hue-${mode?.color ?? 'default'}`} data-found={isFound} data-own={vno.disabled}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <button type="button" className="column grow topo-body" onClick={open}>
        <strong className="clip">{vno.name}</strong>
        <span className="muted small clip">
          {t(counts, vno.device_count, vno.card_count)} · {mode ? t(mode.label) : vno.agent_mode}
        </span>
      </button>
      {vno.children.length > 0 && (
        <button
          type="button"
          className="small topo-toggle"
          aria-expanded={isOpen}
          aria-label={t(isOpen ? collapse : expand, vno.name, vno.children.length)}
          onClick={toggle}
        >
          {isOpen ? '−' : vno.children.length}
        </button>
      )}
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
};
