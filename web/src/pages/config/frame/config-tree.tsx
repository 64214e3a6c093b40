import type { ConfigNode, ConfigTree } from '@farlink/contract/config/config.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { t } from '../../../kit/chrome/lang.ts';
import { LineInput } from '../../../ui/native/line-input.tsx';
import { stateLabel } from '../apply/state-tag.tsx';
import { searchPages, stateCountsOf, treeGroups } from './page-search.ts';

const texts = {
  pages: ['配置页面', 'Configuration pages'],
  search: ['搜索名称或标识', 'Search by name or key'],
  none: ['没有匹配的页面', 'No page matches'],
  found: ['搜索结果', 'Found pages'],
  draft: ['有草稿', 'Has a draft'],
  unsaved: ['有未保存的修改', 'Has unsaved changes'],
  drafts: ['{0} 个草稿', '{0} drafts'],
  failed: ['{0} 页未能生效', '{0} failed'],
  drifted: ['{0} 页在网关上被修改', '{0} changed at the gateway'],
  waiting: ['{0} 页等待生效', '{0} waiting'],
} as const satisfies Record<string, Text>;

export const hrefOf = (key: string) => `?page=${key}`;

/** Only states that need attention have a mark. */
const marks: Readonly<Partial<Record<NonNullable<ConfigNode['state']>, string>>> = {
  pending: 'gold',
  applying: 'processing',
  failed: 'red',
  drifted: 'orange',
  unread: 'gold',
};

interface LeafProps {
  readonly node: ConfigNode;
  readonly isCurrent: boolean;
  readonly isUnsaved: boolean;
  readonly id?: string;
  readonly more?: string | undefined;
  readonly isActive?: boolean;
}

const Leaf = ({ node, isCurrent, isUnsaved, id, more, isActive }: LeafProps) => {
  const state = stateLabel(node.state);
  const hue = node.state ? marks[node.state] : undefined;
  return (
    <Link
      id={id}
      to={hrefOf(node.key)}
      className="config-leaf"
      aria-current={isCurrent ? 'page' : undefined}
      data-active={isActive || undefined}
      title={node.key}
    >
      <span className="clip">{t([node.zh, node.en])}</span>
      {more && <small className="muted clip">{more}</small>}
      {hue && state && <span className={`dot hue-${hue}`} role="img" aria-label={t(state.label)} title={t(state.label)} />}
      {(node.draft || isUnsaved) && (
        <span
          className={`dot ring ${isUnsaved ? 'hue-red' : 'hue-blue'}`}
          role="img"
          aria-label={t(isUnsaved ? texts.unsaved : texts.draft)}
          title={t(isUnsaved ? texts.unsaved : texts.draft)}
        />
      )}
    </Link>
  );
};

const Count = ({ hue, count, text }: { readonly hue: string; readonly count: number; readonly text: Text }) =>
  count > 0 && (
    <span className={`count hue-${hue}`} role="img" aria-label={t(text, count)} title={t(text, count)}>
      {count}
    </span>
  );

interface ConfigTreeProps {
  readonly tree: ConfigTree;
  readonly current: string | undefined;
  readonly unsaved: readonly string[];
}

/** The pages of a gateway by group, with a search. */
export const ConfigTreeNav = ({ tree, current, unsaved }: ConfigTreeProps) => {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [turned, setTurned] = useState<Readonly<Record<string, boolean>>>({});
  const groups = treeGroups(tree.groups);
  const home = groups.find(({ pages }) => pages.some(({ key }) => key === current))?.key;
  const list = useRef<HTMLElement>(null);
  const [lastPage, setLastPage] = useState(current);
  // The group of an opened page is expanded, even if it was collapsed before.
  if (lastPage !== current) {
    setLastPage(current);
    if (home !== undefined && turned[home] === false) setTurned({ ...turned, [home]: true });
  }
  useEffect(() => {
    if (current !== undefined) list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const found = searchPages(tree.groups, typed);
  const active = Math.min(at, found.length - 1);
  const type = (next: string) => {
    setTyped(next);
    setAt(0);
  };
  const handleKey = (e: KeyboardEvent) => {
    const step = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      e.preventDefault();
      const next = (active + step + found.length) % found.length;
      setAt(next);
      document.getElementById(`found-${next}`)?.scrollIntoView({ block: 'nearest' });
    }
    if (e.key === 'Enter' && found[active]) {
      e.preventDefault();
      void navigate(hrefOf(found[active].node.key));
      type('');
    }
    if (e.key === 'Escape') type('');
  };
  return (
    <nav className="config-tree card" aria-label={t(texts.pages)} ref={list}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles keys of the input inside */}
      <div className="config-search" onKeyDown={handleKey}>
        <LineInput id="config-search" type="search" value={typed} onChange={type} placeholder={t(texts.search)} label={t(texts.search)} />
      </div>
      {typed.trim() !== '' ? (
        <ul aria-label={t(texts.found)}>
          {found.map(({ node, group }, i) => (
            <li key={node.key}>
              <Leaf
                id={`found-${i}`}
                node={node}
                more={t([group.zh, group.en])}
                isCurrent={node.key === current}
                isUnsaved={unsaved.includes(node.key)}
                isActive={i === active}
              />
            </li>
          ))}
          {found.length === 0 && (
            <li className="muted config-none" role="status">
              {t(texts.none)}
            </li>
          )}
        </ul>
      ) : (
        <ul>
          {groups.map((group) => {
            const isOpen = turned[group.key] ?? group.key === home;
            const stateCounts = stateCountsOf(group.pages);
            return (
              <li key={group.key}>
                <button
                  type="button"
                  className="config-group"
                  aria-expanded={isOpen}
                  data-current={group.key === home || undefined}
                  onClick={() => setTurned({ ...turned, [group.key]: !isOpen })}
                >
                  <span className="chevron" aria-hidden />
                  <span className="clip">{t([group.zh, group.en])}</span>
                  <span className="spring" />
                  <Count hue="red" count={stateCounts.failed} text={texts.failed} />
                  <Count hue="orange" count={stateCounts.drifted} text={texts.drifted} />
                  <Count hue="gold" count={stateCounts.waiting} text={texts.waiting} />
                  <Count hue="blue" count={stateCounts.drafts} text={texts.drafts} />
                </button>
                {isOpen && (
                  <ul>
                    {group.pages.map((node) => (
                      <li key={node.key}>
                        <Leaf node={node} isCurrent={node.key === current} isUnsaved={unsaved.includes(node.key)} />
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </nav>
  );
};
