import { anchorOf } from '@farlink/portal/anchor.ts';
import { type CSSProperties, useEffect, useEffectEvent, useRef, useState } from 'react';

interface PreviewFrameProps {
  readonly src: string;
  readonly title: string;
  /** Width of the simulated screen. */
  readonly width: number;
  /** Space on the stage. */
  readonly room: { readonly width: number; readonly height: number };
  /** Block to scroll to and to mark. */
  readonly mark?: string | undefined;
  /** A click on a block in the preview. */
  readonly onPick?: (id: string) => void;
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

const clickedBlock = (e: Event): string | undefined => {
  const view = e.target instanceof Node ? e.target.ownerDocument?.defaultView : undefined;
  const target = e.composedPath().find((one) => view && one instanceof view.Element && one.matches('.block'));
  return view && target instanceof view.Element ? target.id.slice(anchorOf('').length) : undefined;
};

/** The page of a portal. A new one loads behind the shown one and replaces it when it is complete, at the same scroll position. */
export const PreviewFrame = ({ src, title, width, room, mark, onPick }: PreviewFrameProps) => {
  const [shown, setShown] = useState(src);
  const frames = useRef(new Map<string, HTMLIFrameElement>());
  const pick = useEffectEvent((e: Event) => {
    const id = clickedBlock(e);
    // Links of the preview lead to other pages of the portal, which have no blocks to edit.
    e.preventDefault();
    if (id) onPick?.(id);
  });
  const swap = (next: string) => {
    const page = pageOf(frames.current.get(next));
    const top = pageOf(frames.current.get(shown))?.scrollingElement?.scrollTop ?? 0;
    page?.scrollingElement?.scrollTo(0, top);
    markIn(page, mark, false);
    page?.addEventListener('click', (e) => pick(e));
    setShown(next);
  };
  useEffect(() => markIn(pageOf(frames.current.get(shown)), mark, true), [mark, shown]);
  const scale = Math.min(1, room.width / width);
  const style = {
    '--preview-width': `${width}px`,
    '--preview-scale': scale,
    '--preview-height': `${Math.floor(room.height / scale)}px`,
  } as CSSProperties;
  return (
    <div className="preview-screen" style={{ width: width * scale, height: room.height }}>
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
    </div>
  );
};
