import type { StatusNode, StatusSection } from '@farlink/contract/advanced/system-status.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import { lang, t } from '../../kit/chrome/lang.ts';
import { relativeText, timeText } from '../../ui/format.ts';
import { Point, Tag } from '../../ui/native/tag.tsx';
import { Figure, StatusCard } from './status-card.tsx';
import { texts } from './texts.ts';

const NodeFigures = ({ node: { loop_ms, cpu_percent, memory_bytes, pool, disk } }: { readonly node: StatusNode }) => (
  <dl className="status-figures">
    {cpu_percent !== null && <Figure label={t(texts.cpu)}>{cpu_percent}%</Figure>}
    {memory_bytes !== null && <Figure label={t(texts.memory)}>{bytesText(memory_bytes)}</Figure>}
    {loop_ms !== null && <Figure label={t(texts.loop)}>{loop_ms} ms</Figure>}
    {pool && <Figure label={t(texts.pool)}>{t(texts.poolUse, pool.used, pool.max, pool.waiting)}</Figure>}
    {disk && <Figure label={t(texts.disk)}>{t(texts.diskFree, bytesText(disk.free_bytes), bytesText(disk.total_bytes))}</Figure>}
  </dl>
);

const Node = ({ node }: { readonly node: StatusNode }) => (
  <li className="status-node">
    <header className="row wrap status-node-head">
      <h3>{node.name}</h3>
      <Point color={node.is_gone ? 'red' : 'green'}>{t(node.is_gone ? texts.gone : texts.running)}</Point>
      {node.roles.map((role) => (
        <Tag key={role}>{role}</Tag>
      ))}
      <Tag color={node.is_older ? 'gold' : undefined}>{node.is_older ? `${node.version} ${t(texts.older)}` : node.version}</Tag>
      <span className="muted">
        {[node.address, node.is_gone ? t(texts.seen, relativeText(node.seen_at, lang)) : t(texts.since, timeText(node.started_at))]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </header>
    {!node.is_gone && <NodeFigures node={node} />}
  </li>
);

/** Processes with their roles and load. */
export const NodeCard = ({ part }: { readonly part: StatusSection<readonly StatusNode[]> }) => (
  <StatusCard name="nodes" part={part}>
    {(nodes) => (
      <ul>
        {nodes.map((node) => (
          <Node key={node.id} node={node} />
        ))}
      </ul>
    )}
  </StatusCard>
);
