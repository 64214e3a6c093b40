/** `#rrggbb` as numbers. */
const channels = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

const linear = (value: number) => {
  const ratio = value / 255;
  return ratio <= 0.04045 ? ratio / 12.92 : ((ratio + 0.055) / 1.055) ** 2.4;
};

const luminance = (color: string) => {
  const [r = 0, g = 0, b = 0] = channels(color).map(linear);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/** Contrast of two colors (WCAG), 1…21. */
export const contrast = (one: string, other: string): number => {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
};

/** Minimum contrast of small text (WCAG AA). */
const readable = 4.5;

const mix = (color: string, towards: number, share: number) =>
  `#${channels(color)
    .map((value) =>
      Math.round(value + (towards - value) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/** The color itself if its text is readable on the background, else the nearest darker or lighter one that is. */
export const readableOn = (color: string, background: string): string => {
  const towards = luminance(background) > 0.18 ? 0 : 255;
  for (let share = 0; share < 1; share += 0.04) {
    const tried = mix(color, towards, share);
    if (contrast(tried, background) >= readable) return tried;
  }
  return towards === 0 ? '#000000' : '#ffffff';
};

/** White if it is readable on the color, else black: buttons with dark text look disabled. */
export const inkOn = (color: string): string => (contrast('#ffffff', color) >= readable ? '#ffffff' : '#000000');

/** A color between this one and black (below 0) or white (above 0). */
export const shade = (color: string, share: number): string => mix(color, share < 0 ? 0 : 255, Math.abs(share));
