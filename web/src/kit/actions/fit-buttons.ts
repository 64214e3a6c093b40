import { textWidth } from '../../ui/format.ts';

const padding = 32;
const gap = 8;
const moreWidth = 84;

/** Number of buttons that fit into this width, in their order; the rest is behind "more". At least one is always visible. */
export const countThatFit = (labels: readonly string[], width: number): number => {
  const widths = labels.map((label) => textWidth(label) + padding + gap);
  const fitting = (space: number) => {
    let used = 0;
    const full = widths.findIndex((width) => {
      used += width;
      return used > space;
    });
    return full < 0 ? widths.length : full;
  };
  return fitting(width) === labels.length ? labels.length : Math.max(1, fitting(width - moreWidth));
};
