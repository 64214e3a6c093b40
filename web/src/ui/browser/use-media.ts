import { useSyncExternalStore } from 'react';

const media = (query: string) => {
  const list = matchMedia(query);
  const watch = (changed: () => void) => {
    list.addEventListener('change', changed);
    return () => list.removeEventListener('change', changed);
  };
  const get = () => list.matches;
  return { get, use: () => useSyncExternalStore(watch, get) };
};

const phone = media('(max-width: 640px)');
const narrow = media('(max-width: 900px)');

/** Phone layout: lists are cards, dialogs fill the screen. The stylesheets use the same width. */
export const usePhone = phone.use;
export const isPhone = phone.get;

/** Narrow layout: the menu is a drawer, on phones and portrait tablets. */
export const useNarrow = narrow.use;
