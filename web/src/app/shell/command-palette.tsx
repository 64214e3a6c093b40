import type { Head } from '@farlink/contract/kit/page.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { lazy, Suspense, useEffect, useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { isNames, useLocalPreference } from '../../kit/chrome/local-preference.ts';
import { SearchIcon } from '../../ui/theme/shell-icons.ts';
import { importRetry } from '../load-chunk.ts';
import type { OpenGroup } from '../permitted.ts';
import { entriesOf } from './palette-entries.ts';

const PaletteBox = lazy(async () => ({ default: (await importRetry(() => import('./palette-box.tsx'))).PaletteBox }));

const search: Text = ['搜索页面', 'Search pages'];

const recentMax = 5;
const key = navigator.platform.startsWith('Mac') ? '⌘ K' : 'Ctrl K';

interface CommandPaletteProps {
  readonly groups: readonly OpenGroup[];
  readonly page: Head | undefined;
  readonly onOpen: (page: Head) => void;
}

/** Ctrl/Cmd+K: search of all permitted pages by name in both languages. */
export const CommandPalette = ({ groups, page, onOpen }: CommandPaletteProps) => {
  const [open, setOpen] = useState(false);
  const [recent = [], setRecent] = useLocalPreference('farlink-recent', isNames);

  useEffect(() => {
    const handleKey = (e: KeyboardEvent) => {
      if (e.key.toLowerCase() !== 'k' || !(e.ctrlKey || e.metaKey)) return;
      e.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, []);

  const choose = (next: Head) => {
    setOpen(false);
    onOpen(next);
  };

  useEffect(() => {
    if (page && recent[0] !== page.key) setRecent([page.key, ...recent.filter((k) => k !== page.key)].slice(0, recentMax + 1));
  }, [page, recent, setRecent]);

  return (
    <>
      <button type="button" className="row box muted palette-open" onClick={() => setOpen(true)}>
        <SearchIcon aria-hidden />
        <span>{t(search)}</span>
        <kbd>{key}</kbd>
      </button>
      {open && (
        <Suspense>
          <PaletteBox
            entries={entriesOf(
              groups,
              recent.filter((k) => k !== page?.key),
            )}
            onChoose={choose}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
};
