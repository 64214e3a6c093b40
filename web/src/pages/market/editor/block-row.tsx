import type { Text } from '@farlink/contract/kit/text.ts';
import type { Block } from '@farlink/portal/document.ts';
import type { KeyboardEvent } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import type { MenuEntry } from '../../../ui/native/menu.tsx';
import { MenuButton } from '../../../ui/native/menu-button.tsx';
import { DotsIcon, EyeIcon, EyeOffIcon, GripIcon } from '../../../ui/theme/icons.ts';
import { blockNames } from './block-texts.ts';
import type { useSort } from './use-sort.ts';

const texts = {
  grip: ['移动{0}', 'Move {0}'],
  hide: ['隐藏{0}', 'Hide {0}'],
  show: ['显示{0}', 'Show {0}'],
  more: ['更多操作：{0}', 'More actions: {0}'],
  hidden: ['已隐藏', 'Hidden'],
  missing: ['缺少译文', 'Missing translation'],
  wrong: ['内容有误', 'Has an error'],
  pictures: ['{0}张图片', '{0} images'],
} as const satisfies Record<string, Text>;

/** A line that distinguishes blocks of one kind. */
const summaryOf = (block: Block): string => {
  if (block.heading && t(block.heading)) return t(block.heading);
  if ('images' in block) return t(texts.pictures, block.images.length);
  if (block.kind === 'fragment') return block.name;
  return 'text' in block ? (t(block.text) || block.text[0] || block.text[1]).split('\n', 1).join('') : '';
};

/** Another block of this kind gets a number. */
export const nameOf = (block: Block): string => {
  const count = /-(\d+)$/.exec(block.id)?.[1];
  return `${t(blockNames[block.kind])}${count && block.id.startsWith(block.kind) ? ` ${count}` : ''}`;
};

interface BlockRowProps {
  readonly block: Block;
  readonly sort: ReturnType<typeof useSort>;
  readonly isChosen: boolean;
  /** The only row in the tab order. */
  readonly isEntry: boolean;
  readonly mark: 'wrong' | 'missing' | undefined;
  readonly drop: 'before' | 'after' | undefined;
  readonly menu: readonly MenuEntry[];
  readonly hintId: string;
  readonly onChoose: () => void;
  readonly onHide: () => void;
  readonly onKey: (e: KeyboardEvent<HTMLElement>) => void;
}

export const BlockRow = ({ block, sort, isChosen, isEntry, mark, drop, menu, hintId, onChoose, onHide, onKey }: BlockRowProps) => {
  const name = nameOf(block);
  const summary = summaryOf(block);
  const tabIndex = isEntry ? 0 : -1;
  const isPinned = block.kind === 'header';
  return (
    <li
      className="block-row"
      data-sort
      data-row={block.id}
      data-drop={drop}
      data-dragged={sort.dragged?.id === block.id || sort.grabbed === block.id || undefined}
      data-hidden={block.hidden || undefined}
    >
      {isPinned ? (
        <span className="block-grip" />
      ) : (
        <button
          type="button"
          className="block-grip"
          tabIndex={tabIndex}
          aria-label={t(texts.grip, name)}
          aria-pressed={sort.grabbed === block.id}
          aria-describedby={hintId}
          onPointerDown={(e) => sort.press(e, block.id)}
          onPointerMove={sort.drag}
          onPointerUp={sort.drop}
          onPointerCancel={sort.cancel}
          onClick={(e) => e.detail === 0 && sort.toggle(block.id)}
          onBlur={sort.leave}
          onKeyDown={(e) => sort.onKey(e, block.id) || onKey(e)}
        >
          <GripIcon aria-hidden />
        </button>
      )}
      <button
        type="button"
        className="block-name"
        tabIndex={tabIndex}
        aria-current={isChosen || undefined}
        aria-describedby={hintId}
        onClick={onChoose}
        onKeyDown={(e) => (!isPinned && sort.onKey(e, block.id)) || onKey(e)}
      >
        <span className="clip">{name}</span>
        {summary && <small className="muted clip">{summary}</small>}
        {block.hidden && <span className="visually-hidden">{t(texts.hidden)}</span>}
      </button>
      {mark && (
        <span className="block-mark" data-mark={mark} role="img" aria-label={t(texts[mark])} title={t(texts[mark])}>
          {mark === 'wrong' ? '!' : t(['译', 'Aa'])}
        </span>
      )}
      <button
        type="button"
        className="icon-button"
        tabIndex={tabIndex}
        aria-label={t(block.hidden ? texts.show : texts.hide, name)}
        title={t(block.hidden ? texts.show : texts.hide, name)}
        onClick={onHide}
        onKeyDown={onKey}
      >
        {block.hidden ? <EyeOffIcon aria-hidden /> : <EyeIcon aria-hidden />}
      </button>
      <MenuButton className="icon-button" label={t(texts.more, name)} items={menu} tabIndex={tabIndex}>
        <DotsIcon aria-hidden />
      </MenuButton>
    </li>
  );
};
