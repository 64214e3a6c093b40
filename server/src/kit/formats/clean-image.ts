import sharp from 'sharp';

export interface CleanImage {
  readonly bytes: Buffer;
  readonly mime: 'image/png' | 'image/jpeg';
  readonly width: number;
  readonly height: number;
}

/** Pixels of an image that is decoded. 24 million are a photo of a phone; they need about 100 MB for a moment. */
const maxPixels = 24_000_000;

// One image at a time per core, and no memory held between images.
sharp.cache(false);

/**
 * Decodes a JPEG or PNG and writes it again: no metadata, no bytes after the image, no more than the given size. Undefined: it is not such an
 * image, it is damaged, or it has too many pixels.
 */
export const cleanImage = async (
  bytes: Uint8Array,
  size: { readonly width: number; readonly height: number },
): Promise<CleanImage | undefined> => {
  try {
    const image = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', animated: false });
    const { format } = await image.metadata();
    if (format !== 'jpeg' && format !== 'png') return undefined;
    // The camera's orientation is in the metadata, which is dropped.
    const fitted = image.autoOrient().resize({ ...size, fit: 'inside', withoutEnlargement: true });
    const encoded = format === 'png' ? fitted.png({ compressionLevel: 9, palette: false }) : fitted.jpeg({ quality: 82, mozjpeg: true });
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
    return { bytes: data, mime: format === 'png' ? 'image/png' : 'image/jpeg', width: info.width, height: info.height };
  } catch {
    return undefined;
  }
};
