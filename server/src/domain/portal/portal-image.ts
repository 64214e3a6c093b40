import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { PortalImage } from '@farlink/portal/document.ts';
import type { Deps } from '../../kit/deps.ts';
import { Refusal } from '../../kit/fail.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import { cleanImage } from '../../kit/formats/clean-image.ts';

type Store = Pick<Deps, 'config'>;

/** Key in the file store. Equal images are stored once, for all VNOs. */
export const imageKey = ({ sha256, ext }: Pick<PortalImage, 'sha256' | 'ext'>): string => `portal/${sha256.slice(0, 2)}/${sha256}.${ext}`;

export const imageMime = (ext: PortalImage['ext']): 'image/png' | 'image/jpeg' => (ext === 'png' ? 'image/png' : 'image/jpeg');

/** Largest sides, in pixels. Larger images are reduced: a phone shows no more, and the satellite link is slow. */
const largest = { width: 1600, height: 1600 };

/** Decodes, re-encodes and stores an image. Undefined: it is not an image. */
export const storeImage = async (deps: Store, bytes: Uint8Array): Promise<(PortalImage & { readonly bytes: number }) | undefined> => {
  const clean = await cleanImage(bytes, largest);
  if (!clean) return undefined;
  const image: PortalImage = {
    sha256: createHash('sha256').update(clean.bytes).digest('hex'),
    ext: clean.mime === 'image/png' ? 'png' : 'jpg',
    width: clean.width,
    height: clean.height,
  };
  await openFileStore(deps.config).put(imageKey(image), Readable.from([clean.bytes]), clean.bytes.length);
  return { ...image, bytes: clean.bytes.length };
};

/** Bytes of one of these images, found by the hash of its content. Undefined: it is none of them, or the file is missing. */
export const portalImage = async (
  deps: Store,
  images: readonly Pick<PortalImage, 'sha256' | 'ext'>[],
  sha256: string,
): Promise<{ readonly mime: string; readonly body: Buffer } | undefined> => {
  const image = images.find((one) => one.sha256 === sha256);
  if (!image) return undefined;
  try {
    return { mime: imageMime(image.ext), body: await buffer(await openFileStore(deps.config).get(imageKey(image))) };
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'not_found') return undefined;
    throw error;
  }
};
