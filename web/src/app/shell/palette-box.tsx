import type { Head } from '@farlink/contract/kit/page.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { type Entry, matching } from './palette-entries.ts';

const search: Text = ['搜索页面', 'Search pages'];
const typeHere: Text = ['输入页面名称…', 'Type the name of a page…'];
const nothing: Text = ['没有匹配的页面', 'No page matches'];
const recent: Text = ['最近', 'Recent'];

interface PaletteBoxProps {
  readonly entries: readonly Entry[];
  readonly onChoose: (page: Head) => void;
  readonly onClose: () => void;
}

export const PaletteBox = ({ entries, onChoose, onClose }: PaletteBoxProps) => {
  const box = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState(0);
  const found = matching(entries, typed);

  useEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);

  const mark = (index: number) => {
    setMarked(index);
    document.getElementById(`palette-${index}`)?.scrollIntoView({ block: 'nearest' });
  };
  const handleKey = (e: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step !== undefined && found.length > 0) {
      e.preventDefault();
      mark((marked + step + found.length) % found.length);
    }
    const chosen = found[marked];
    // Enter can belong to a Chinese input method during composition.
    if (e.key === 'Enter' && !e.nativeEvent.isComposing && chosen) onChoose(chosen.page);
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes the dialog
    <dialog
      ref={box}
      className="palette"
      aria-label={t(search)}
      onClose={(e) => e.currentTarget.open || onClose()}
      onClick={(e) => e.target === e.currentTarget && onClose()}
    >
      <input
        role="combobox"
        aria-label={t(search)}
        aria-expanded={found.length > 0}
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `palette-${marked}` : undefined}
        placeholder={t(typeHere)}
        value={typed}
        spellCheck={false}
        autoComplete="off"
        onChange={(e) => {
          setTyped(e.target.value);
          setMarked(0);
        }}
        onKeyDown={handleKey}
      />
      <div id="palette-list" role="listbox" aria-label={t(search)} className="palette-list">
        {found.map(({ page, group, recent: isRecent }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above has the focus and handles keys
          <div
            className="row"
            key={page.key}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === marked}
            onMouseMove={() => setMarked(index)}
            onClick={() => onChoose(page)}
          >
            <span>{t(page.title)}</span>
            {isRecent && <small className="muted">{t(recent)}</small>}
            <small className="muted">{t(group.title)}</small>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="muted">{t(nothing)}</p>}
    </dialog>
  );
};
