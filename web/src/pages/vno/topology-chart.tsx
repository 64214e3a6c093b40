import type { AgentNode } from '@farlink/contract/vno/vno.ts';
import { Background, Controls, type Edge, Position, ReactFlow, ReactFlowProvider, useReactFlow, useStore } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { useEffect, useRef } from 'react';
import { useDark } from '../../ui/theme/theme.ts';
import { type CardNode, cardSize, TopologyCard } from './topology-card.tsx';
import { layTree, type Placed } from './tree-layout.ts';

const step = { across: cardSize.width + 72, down: cardSize.height + 14 };
const nodeTypes = { card: TopologyCard };
const { width, height } = cardSize;
// Fixed positions, so that an edge can be drawn to a card that was never rendered.
const handles = [
  { type: 'target' as const, position: Position.Left, x: 0, y: height / 2, width: 1, height: 1 },
  { type: 'source' as const, position: Position.Right, x: width, y: height / 2, width: 1, height: 1 },
];

interface ChartProps {
  readonly roots: readonly AgentNode[];
  readonly opened: ReadonlySet<number>;
  readonly found: number | undefined;
  /** Number of resets to the root. */
  readonly home: number;
  /** The card that was last expanded or collapsed. */
  readonly toggled: number | undefined;
  readonly toggle: (id: number) => void;
  readonly open: (vno: AgentNode) => void;
}

/** State of the last layout. */
interface LastLayout {
  readonly top?: number | undefined;
  readonly found?: number | undefined;
  readonly home?: number;
  readonly placed: readonly Placed<AgentNode>[];
}

const edgeOf = ({ node, parent }: Placed<AgentNode>): Edge[] =>
  parent === undefined
    ? []
    : [
        {
          id: `${parent}-${node.id}`,
          source: String(parent),
          target: String(node.id),
          type: 'smoothstep',
          focusable: false,
          selectable: false,
        },
      ];

const Chart = ({ roots, opened, found, home, toggled, toggle, open }: ChartProps) => {
  const flow = useReactFlow();
  const isDark = useDark();
  const placed = layTree(roots, (vno) => opened.has(vno.id), step);
  const nodes = placed.map(
    ({ node, x, y }): CardNode => ({
      id: String(node.id),
      type: 'card',
      position: { x, y },
      width,
      height,
      handles,
      data: { vno: node, isOpen: opened.has(node.id), isFound: node.id === found, open: () => open(node), toggle: () => toggle(node.id) },
    }),
  );
  // Scrolls to a new match or the root; otherwise the last toggled card stays under the pointer.
  const frame = useStore((s) => s.width);
  const top = roots[0]?.id;
  const lastLayout = useRef<LastLayout>({ placed });
  useEffect(() => {
    if (frame === 0) return;
    const before = lastLayout.current;
    lastLayout.current = { top, found, home, placed };
    const toRoot = top !== before.top || home !== before.home;
    const toMatch = found !== undefined && found !== before.found;
    const target = placed.find((p) => p.node.id === (toMatch ? found : top));
    if ((toRoot || toMatch) && target) {
      const ahead = toMatch ? width / 2 : frame / 2 - 40;
      void flow.setCenter(target.x + ahead, target.y + height / 2, { zoom: 1, duration: toMatch ? 250 : 0 });
      return;
    }
    const [was, is] = [before.placed, placed].map((all) => all.find((p) => p.node.id === toggled)?.y);
    if (was === undefined || is === undefined || was === is) return;
    const { x, y, zoom } = flow.getViewport();
    void flow.setViewport({ x, y: y + (was - is) * zoom, zoom });
  });
  return (
    <ReactFlow
      nodes={nodes}
      edges={placed.flatMap(edgeOf)}
      nodeTypes={nodeTypes}
      colorMode={isDark ? 'dark' : 'light'}
      onlyRenderVisibleElements
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      elementsSelectable={false}
      minZoom={0.15}
      maxZoom={1.5}
      proOptions={{ hideAttribution: true }}
    >
      <Background gap={24} />
      <Controls showInteractive={false} />
    </ReactFlow>
  );
};

export const TopologyChart = (props: ChartProps) => (
  <ReactFlowProvider>
    <Chart {...props} />
  </ReactFlowProvider>
);
