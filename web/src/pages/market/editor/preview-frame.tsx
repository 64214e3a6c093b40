import { anchorOf } from '@farlink/portal/anchor.ts';
import { type CSSProperties, type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react';

interface PreviewFrameProps {
  readonly src: string;
  readonly title: string;
  /** Width of the simulated screen. */
  readonly width: number;
  readonly available: { readonly width: number; readonly height: number };
  /** Block to scroll to and to mark. */
  readonly mark?: string | undefined;
  /** A click on a block in the preview. */
  readonly onSelect?: (id: string) => void;
}

const outline = '3px solid #fa8c16';

/** Documents of the preview have the origin of the console and no script, so the console can read them. */
const pageOf = (frame: HTMLIFrameElement | null | undefined): Document | undefined => frame?.contentDocument ?? undefined;

/** Marks a block; true if the page shows it. */
const markIn = (page: Document | undefined, id: string | undefined, scrolls: boolean) => {
  for (const block of page?.querySelectorAll<HTMLElement>('.block') ?? []) {
    const isMarked = id !== undefined && block.id === anchorOf(id);
    block.style.outline = isMarked ? outline : '';
    block.style.outlineOffset = isMarked ? '2px' : '';
    if (isMarked && scrolls) block.scrollIntoView({ block: 'nearest' });
  }
};

/** The block at a point of the window. */
const blockAtPoint = (frame: HTMLIFrameElement | undefined, x: number, y: number, scale: number): string | undefined => {
  const box = frame?.getBoundingClientRect();
  const hit = box && pageOf(frame)?.elementFromPoint((x - box.left) / scale, (y - box.top) / scale);
  return hit?.closest('.block')?.id.slice(anchorOf('').length);
};

/** The page of a portal. A new one loads behind the shown one and replaces it when it is complete, at the same scroll position. */
export const PreviewFrame = ({ src, title, width, available, mark, onSelect }: PreviewFrameProps) => {
  const [shown, setShown] = useState(src);
  const frames = useRef(new Map<string, HTMLIFrameElement>());
  const swap = (next: string) => {
    const page = pageOf(frames.current.get(next));
    const top = pageOf(frames.current.get(shown))?.scrollingElement?.scrollTop ?? 0;
    page?.scrollingElement?.scrollTo(0, top);
    markIn(page, mark, false);
    setShown(next);
  };
  const scrollToMark = useEffectEvent((id: string | undefined) => markIn(pageOf(frames.current.get(shown)), id, true));
  // Only a new selection scrolls; a new draft keeps the position.
  useEffect(() => scrollToMark(mark), [mark]);
  const scale = Math.min(1, available.width / width);
  const style = {
    '--preview-width': `${width}px`,
    '--preview-scale': scale,
    '--preview-height': `${Math.floor(available.height / scale)}px`,
  } as CSSProperties;
  const selectAt = (e: MouseEvent) => {
    const id = blockAtPoint(frames.current.get(shown), e.clientX, e.clientY, scale);
    if (id) onSelect?.(id);
  };
  return (
    <div className="preview-screen" style={{ width: width * scale, height: available.height }}>
      {(shown === src ? [src] : [shown, src]).map((url) => (
        <iframe
          key={url}
          ref={(frame) => {
            if (frame) frames.current.set(url, frame);
            return () => void frames.current.delete(url);
          }}
          src={url}
          title={url === shown ? title : `${title} …`}
          // No script, no form, no navigation of the console.
          sandbox="allow-same-origin"
          className="preview-frame"
          style={style}
          data-waiting={url !== shown || undefined}
          aria-hidden={url !== shown || undefined}
          tabIndex={url === shown ? 0 : -1}
          onLoad={() => swap(url)}
        />
      ))}
      {onSelect && (
        // A document without script gets no events, so this layer takes clicks and wheel. Keys and touch screens use the list.
        // biome-ignore lint/a11y/noStaticElementInteractions: the list of blocks is the same choice by keyboard
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list of blocks is the same choice by keyboard
        <div
          className="preview-overlay"
          onClick={selectAt}
          onWheel={(e) => pageOf(frames.current.get(shown))?.scrollingElement?.scrollBy(0, e.deltaY)}
        />
      )}
    </div>
  );
};
