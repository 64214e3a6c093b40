import type { PortalDocument, PortalImage } from '@farlink/portal/document.ts';
import { thumbnailSvg } from '@farlink/portal/thumbnail.ts';
import sharp from 'sharp';
import type { Deps } from '../../kit/deps.ts';
import { portalImage } from './portal-image.ts';

/** Images in the drawing are small, so they are reduced before they are embedded. */
const embeddedPx = 180;

const embed = async (deps: Pick<Deps, 'config'>, image: PortalImage): Promise<string | undefined> => {
  const found = await portalImage(deps, [image], image.sha256);
  if (!found) return undefined;
  const small = await sharp(found.body).resize({ width: embeddedPx, withoutEnlargement: true }).png().toBuffer();
  return `data:image/png;base64,${small.toString('base64')}`;
};

/** Preview image of a document as PNG. */
export const drawThumbnail = async (deps: Pick<Deps, 'config'>, doc: PortalDocument, images: readonly PortalImage[]): Promise<Buffer> => {
  const hrefs = new Map<string, string>();
  for (const image of images) {
    const href = hrefs.get(image.sha256) ?? (await embed(deps, image));
    if (href !== undefined) hrefs.set(image.sha256, href);
  }
  return sharp(Buffer.from(thumbnailSvg(doc, ({ sha256 }) => hrefs.get(sha256))))
    .png()
    .toBuffer();
};
