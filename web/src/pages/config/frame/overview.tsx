import { type ConfigNode, type ConfigTree, configCalls } from '@farlink/contract/config/config.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { Link } from 'react-router';
import { t } from '../../../kit/chrome/lang.ts';
import PlainList from '../../../kit/list/plain-list.tsx';
import { Tag } from '../../../ui/native/tag.tsx';
import { stateLabel } from '../apply/state-tag.tsx';
import { hrefOf } from './config-tree.tsx';

const texts = {
  attention: ['需要关注', 'Needs attention'],
  allApplied: ['所有页面与网关一致，没有待下发的草稿', 'All pages match the gateway, and there are no drafts'],
  draft: ['有草稿', 'Draft'],
  applies: ['下发记录', 'Changes'],
} as const satisfies Record<string, Text>;

const attentionStates: readonly ConfigNode['state'][] = ['failed', 'drifted', 'unread', 'pending', 'applying'];

/** Shown while no page is open: pages that need attention, and recent applies. */
const Overview = ({ tree }: { readonly tree: ConfigTree }) => {
  const all = tree.groups.flatMap(({ pages }) => pages);
  const { resource } = configCalls.applies;
  const pages = { ...resource.fields.pages, options: all.map(({ key, zh, en }) => ({ id: key, label: [zh, en] as const })) };
  const nodes = all.filter(({ draft, state }) => draft || attentionStates.includes(state));
  return (
    <div className="config-overview">
      <h2>{t(texts.attention)}</h2>
      {nodes.length === 0 ? (
        <p className="muted">{t(texts.allApplied)}</p>
      ) : (
        <ul>
          {nodes.map((node) => {
            const state = stateLabel(node.state);
            return (
              <li key={node.key} className="row">
                <Link className="act" to={hrefOf(node.key)}>
                  {t([node.zh, node.en])}
                </Link>
                {state && attentionStates.includes(node.state) && <Tag color={state.color}>{t(state.label)}</Tag>}
                {node.draft && <Tag color="blue">{t(texts.draft)}</Tag>}
              </li>
            );
          })}
        </ul>
      )}
      <h2>{t(texts.applies)}</h2>
      <PlainList
        page={{
          key: 'config-applies',
          title: texts.applies,
          list: configCalls.applies,
          resource: { ...resource, fields: { ...resource.fields, pages } },
        }}
        params={{ device_id: tree.device.id }}
      />
    </div>
  );
};
export default Overview;
