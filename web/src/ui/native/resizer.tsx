import type { PointerEvent } from 'react';

const minWidth = 64;

/** Drag handle at the right edge of a header. */
export const Resizer = ({ width, onResize }: { readonly width: number; readonly onResize: (width: number) => void }) => {
  const start = (down: PointerEvent<HTMLSpanElement>) => {
    const grip = down.currentTarget;
    const real = grip.parentElement?.offsetWidth ?? width;
    grip.setPointerCapture(down.pointerId);
    const move = (e: globalThis.PointerEvent) => onResize(Math.max(minWidth, Math.round(real + e.clientX - down.clientX)));
    grip.addEventListener('pointermove', move);
    grip.addEventListener('lostpointercapture', () => grip.removeEventListener('pointermove', move), { once: true });
  };
  return <span className="resizer" onPointerDown={start} />;
};
