import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react';
import { dropIndex, edgeScroll } from './drop-index.ts';

interface Dragged {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

interface SortOptions {
  readonly ids: readonly string[];
  /** First index that a row can have; rows before it are pinned. */
  readonly lowest: number;
  /** The scrolling element around the rows, which are its `[data-sort]` elements. */
  readonly list: RefObject<HTMLElement | null>;
  readonly move: (id: string, to: number, field?: string) => void;
  /** Announces the position of the block; `isGrabbed` while the arrow keys move it. */
  readonly announce: (id: string, to: number, state: 'grabbed' | 'moved' | 'dropped' | 'cancelled') => void;
}

/** Sorting by pointer and by keyboard: Space grabs a row, arrow keys move it, Space drops it, Esc puts it back. */
export const useSort = ({ ids, lowest, list, move, announce }: SortOptions) => {
  const [dragged, setDragged] = useState<Dragged>();
  const [grabbed, setGrabbed] = useState<{ readonly id: string; readonly from: number }>();
  const grabs = useRef(0);

  const press = (e: PointerEvent<HTMLElement>, id: string) => {
    if (e.button !== 0) return;
    e.preventDefault();
    e.currentTarget.focus();
    e.currentTarget.setPointerCapture(e.pointerId);
    const from = ids.indexOf(id);
    setDragged({ id, from, to: from });
  };
  const drag = (e: PointerEvent<HTMLElement>) => {
    const box = list.current;
    if (!dragged || !box) return;
    const rows = [...box.querySelectorAll('[data-sort]')].map((row) => row.getBoundingClientRect());
    box.scrollBy(0, edgeScroll(box.getBoundingClientRect(), e.clientY));
    const to = Math.max(lowest, dropIndex(rows, dragged.from, e.clientY));
    if (to !== dragged.to) setDragged({ ...dragged, to });
  };
  const drop = () => {
    if (!dragged) return;
    setDragged(undefined);
    if (dragged.to === dragged.from) return;
    move(dragged.id, dragged.to);
    announce(dragged.id, dragged.to, 'dropped');
  };
  const cancel = () => setDragged(undefined);

  const step = (id: string, to: number, field?: string) => {
    const within = Math.max(lowest, Math.min(to, ids.length - 1));
    move(id, within, field);
    announce(id, within, 'moved');
  };
  const end = (state: 'dropped' | 'cancelled') => {
    if (!grabbed) return;
    setGrabbed(undefined);
    if (state === 'cancelled') move(grabbed.id, grabbed.from, `grab.${grabs.current}`);
    announce(grabbed.id, state === 'cancelled' ? grabbed.from : ids.indexOf(grabbed.id), state);
  };
  const grab = (id: string) => {
    grabs.current += 1;
    setGrabbed({ id, from: ids.indexOf(id) });
    announce(id, ids.indexOf(id), 'grabbed');
  };
  const arrows: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };
  /** Keys of the grip. True if the key was used. */
  const onKey = (e: KeyboardEvent<HTMLElement>, id: string): boolean => {
    const by = arrows[e.key];
    const at = ids.indexOf(id);
    if (by !== undefined && (e.altKey || e.ctrlKey)) step(id, at + by);
    else if (by !== undefined && grabbed?.id === id) step(id, at + by, `grab.${grabs.current}`);
    else if (e.key === 'Escape' && dragged) cancel();
    else if (e.key === 'Escape' && grabbed) end('cancelled');
    else return false;
    e.preventDefault();
    return true;
  };
  const toggle = (id: string) => (grabbed?.id === id ? end('dropped') : grab(id));
  return { dragged, grabbed: grabbed?.id, press, drag, drop, cancel, onKey, toggle, leave: () => end('dropped') };
};
