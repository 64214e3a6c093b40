import type { Text } from '@farlink/contract/kit/text.ts';
import { type Block, type BlockKind, blockKinds } from '@farlink/portal/document.ts';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { MenuButton } from '../../../ui/native/menu-button.tsx';
import { AddIcon } from '../../../ui/theme/icons.ts';
import './editor-blocks.css';
import { BlockRow, nameOf } from './block-row.tsx';
import { blockHints, blockNames } from './block-texts.ts';
import { mayAdd, mayDuplicate } from './document-edit.ts';
import type { Fault } from './document-faults.ts';
import { missingIn } from './missing-texts.ts';
import type { Editor, EditorItem } from './use-editor.ts';
import { useSort } from './use-sort.ts';

const texts = {
  label: ['页面结构', 'Structure'],
  page: ['页面设置', 'Page settings'],
  pageHint: ['名称、标题、Logo、轮播图等', 'Name, title, logo, banners'],
  theme: ['主题', 'Theme'],
  themeHint: ['颜色、圆角、字号', 'Colors, corners, font size'],
  blocks: ['区块', 'Blocks'],
  add: ['添加区块', 'Add block'],
  single: ['页面中已有该区块', 'The page already has this block'],
  full: ['区块数量已达上限', 'The page has the maximum number of blocks'],
  up: ['上移', 'Move up'],
  down: ['下移', 'Move down'],
  duplicate: ['复制', 'Duplicate'],
  remove: ['移除', 'Remove'],
  first: ['已在最前', 'Already the first'],
  last: ['已在最后', 'Already the last'],
  pinned: ['页头固定在顶部', 'The header stays at the top'],
  noCopy: ['页面中只能有一个', 'A page has this block only once'],
  hint: [
    'Alt+上下键移动；在手柄上按空格抓取，再用上下键移动；Delete键移除',
    'Alt+Up/Down moves it. On the grip, Space grabs and the arrow keys move. Delete removes it.',
  ],
  grabbed: [
    '已抓取{0}，位置{1}/{2}。上下键移动，空格放下，Esc取消',
    'Grabbed {0}, position {1} of {2}. Arrow keys move, Space drops, Esc cancels.',
  ],
  moved: ['{0}移动到位置{1}/{2}', '{0} moved to position {1} of {2}'],
  dropped: ['{0}已放在位置{1}/{2}', '{0} dropped at position {1} of {2}'],
  cancelled: ['{0}已回到位置{1}/{2}', '{0} is back at position {1} of {2}'],
} as const satisfies Record<string, Text>;

interface BlockListProps {
  readonly editor: Editor;
  readonly faults: readonly Fault[];
  /** A template package has fragments. */
  readonly hasFragments: boolean;
  /** A click shows the properties also on a narrow screen; the arrow keys stay in the list. */
  readonly onOpen: (item: EditorItem) => void;
}

const arrows: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

const dropSide = (id: string, ids: readonly string[], dragged: ReturnType<typeof useSort>['dragged']) => {
  if (!dragged || dragged.to === dragged.from) return undefined;
  const rest = ids.filter((one) => one !== dragged.id);
  if (rest[dragged.to] === id) return 'before';
  return dragged.to === rest.length && rest.at(-1) === id ? 'after' : undefined;
};

const useAnnouncer = (editor: Editor) => {
  const [announcement, setAnnouncement] = useState('');
  const announce = (id: string, to: number, state: 'grabbed' | 'moved' | 'dropped' | 'cancelled') => {
    const block = editor.doc.blocks.find((one) => one.id === id);
    if (block) setAnnouncement(t(texts[state], nameOf(block), to + 1, editor.doc.blocks.length));
  };
  return { announcement, announce };
};

/** Menu of a row; the same actions have keys. */
const useRowMenu = (editor: Editor) => (block: Block, at: number) => {
  const last = editor.doc.blocks.length - 1;
  const pinned = block.kind === 'header' ? t(texts.pinned) : undefined;
  return [
    {
      key: 'up',
      label: t(texts.up),
      refusal: pinned ?? (at <= 1 ? t(texts.first) : undefined),
      onSelect: () => editor.move(block.id, at - 1),
    },
    {
      key: 'down',
      label: t(texts.down),
      refusal: pinned ?? (at === last ? t(texts.last) : undefined),
      onSelect: () => editor.move(block.id, at + 1),
    },
    {
      key: 'duplicate',
      label: t(texts.duplicate),
      refusal: mayDuplicate(editor.doc, block) ? undefined : t(texts.noCopy),
      onSelect: () => editor.duplicate(block.id),
    },
    { key: 'remove', label: t(texts.remove), danger: true, onSelect: () => editor.remove(block.id) },
  ];
};

const offers = (editor: Editor, hasFragments: boolean) =>
  blockKinds
    .filter((kind) => kind !== 'fragment' || hasFragments)
    .map((kind: BlockKind) => {
      const may = mayAdd(editor.doc, kind);
      return {
        key: kind,
        label: t(blockNames[kind]),
        hint: t(blockHints[kind]),
        refusal: may === 'yes' ? undefined : t(texts[may]),
        onSelect: () => editor.add(kind),
      };
    });

/** Left side: page, theme, and the blocks in their order. */
export const BlockList = ({ editor, faults, hasFragments, onOpen }: BlockListProps) => {
  const { doc, chosen, choose } = editor;
  const list = useRef<HTMLElement>(null);
  const hintId = useId();
  const ids = doc.blocks.map(({ id }) => id);
  const { announcement, announce } = useAnnouncer(editor);
  const sort = useSort({ ids, lowest: doc.blocks[0]?.kind === 'header' ? 1 : 0, list, move: editor.move, announce });
  const menuOf = useRowMenu(editor);
  const order: readonly EditorItem[] = ['#page', '#theme', ...ids];
  // A key that changes the selection also moves the focus.
  const movesFocus = useRef(false);
  useEffect(() => {
    if (!movesFocus.current) return;
    movesFocus.current = false;
    list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(chosen)}"] .block-name`)?.focus();
  }, [chosen]);
  const onKey = (e: KeyboardEvent<HTMLElement>) => {
    const by = arrows[e.key];
    const next = by === undefined ? undefined : order[order.indexOf(chosen) + by];
    if (next !== undefined) {
      movesFocus.current = true;
      choose(next);
    } else if (e.key === 'Delete' && !chosen.startsWith('#')) {
      movesFocus.current = true;
      editor.remove(chosen);
    } else return;
    e.preventDefault();
  };
  const fixed = (item: EditorItem, title: Text, hint: Text) => (
    <li className="block-row" data-row={item}>
      <button
        type="button"
        className="block-name"
        tabIndex={chosen === item ? 0 : -1}
        aria-current={chosen === item || undefined}
        onClick={() => onOpen(item)}
        onKeyDown={onKey}
      >
        <span className="clip">{t(title)}</span>
        <small className="muted clip">{t(hint)}</small>
      </button>
    </li>
  );
  const markOf = (block: Block) => {
    if (faults.some((fault) => fault.block === block.id)) return 'wrong';
    return !block.hidden && missingIn(block).length > 0 ? 'missing' : undefined;
  };
  return (
    <section ref={list} className="editor-blocks card" aria-label={t(texts.label)}>
      <ul>
        {fixed('#page', texts.page, texts.pageHint)}
        {fixed('#theme', texts.theme, texts.themeHint)}
      </ul>
      <div className="editor-blocks-head">
        <h2>{t(texts.blocks)}</h2>
        <MenuButton className="button block-add" label={t(texts.add)} items={offers(editor, hasFragments)}>
          <AddIcon aria-hidden /> {t(texts.add)}
        </MenuButton>
      </div>
      <ul aria-label={t(texts.blocks)}>
        {doc.blocks.map((block, at) => (
          <BlockRow
            key={block.id}
            block={block}
            sort={sort}
            isChosen={chosen === block.id}
            isEntry={chosen === block.id}
            mark={markOf(block)}
            drop={dropSide(block.id, ids, sort.dragged)}
            menu={menuOf(block, at)}
            hintId={hintId}
            onChoose={() => onOpen(block.id)}
            onHide={() => editor.hide(block.id, !block.hidden)}
            onKey={onKey}
          />
        ))}
      </ul>
      <p id={hintId} className="hint editor-keys">
        {t(texts.hint)}
      </p>
      <div className="visually-hidden" aria-live="assertive">
        {announcement}
      </div>
    </section>
  );
};
