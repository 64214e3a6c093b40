/** Luminance of the dark surface behind the logo, and the contrast below which a pixel is hard to see on it. */
const surface = 0.01;
const minContrast = 2.6;

const linear = (channel: number) => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};
const luminance = (r: number, g: number, b: number) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);

/** Whether the corners of an image are transparent. Others bring their own background. */
export const isCutOut = (rgba: Uint8ClampedArray, width: number, height: number): boolean =>
  [0, width - 1, (height - 1) * width, height * width - 1].every((pixel) => (rgba[pixel * 4 + 3] ?? 255) < 16);

/** Mixes pixels that are too dark with white and keeps their hue; others stay. */
export const lightenDark = (rgba: Uint8ClampedArray) => {
  for (let i = 0; i < rgba.length; i += 4) {
    const [r = 0, g = 0, b = 0] = rgba.subarray(i, i + 3);
    const contrast = (luminance(r, g, b) + 0.05) / (surface + 0.05);
    if (contrast >= minContrast) continue;
    const white = 0.75 - 0.15 * (contrast / minContrast);
    rgba.set(
      [r, g, b].map((channel) => channel + (255 - channel) * white),
      i,
    );
  }
};

/** The logo for a dark background; undefined for one with its own background. */
export const darkLogo = async (url: string): Promise<string | undefined> => {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.drawImage(image, 0, 0);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  if (!isCutOut(pixels.data, canvas.width, canvas.height)) return undefined;
  lightenDark(pixels.data);
  context.putImageData(pixels, 0, 0);
  return canvas.toDataURL();
};
