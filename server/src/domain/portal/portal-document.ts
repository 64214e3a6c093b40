import type { Text } from '@farlink/contract/kit/text.ts';
import { type BuiltInCode, builtInDocument } from '@farlink/portal/built-in.ts';
import { imagesOf, type PortalDocument, type PortalImage, parseDocument } from '@farlink/portal/document.ts';
import { type Manifest, packageDocument } from '@farlink/portal/package.ts';
import { noPackage, type PackageContent } from '@farlink/portal/site.ts';
import type { Db } from '../../kit/deps.ts';

/** CSS, fragments and images of a template package. */
export interface StoredParts extends PackageContent {
  readonly images: readonly PortalImage[];
}
const noParts: StoredParts = { ...noPackage, images: [] };

export const partsOf = async (db: Db, sha256: string | null): Promise<StoredParts> => {
  if (sha256 === null) return noParts;
  return db.selectFrom('portal_parts').select(['css', 'fragments', 'images']).where('sha256', '=', sha256).executeTakeFirstOrThrow();
};

/** All images that the pages of a portal show. */
export const shownImages = (doc: PortalDocument, parts: StoredParts): readonly PortalImage[] => [...imagesOf(doc), ...parts.images];

interface Origin {
  readonly device_type: BuiltInCode;
  readonly billing_type: 'free' | 'charged';
  /** Name of the operator, shown in the header. */
  readonly owner: Text;
  readonly manifest?: Manifest | null;
}

/** The document that a portal starts with. */
export const firstDocument = ({ device_type, billing_type, owner, manifest }: Origin): PortalDocument => {
  const start = builtInDocument(device_type, billing_type, owner);
  return manifest ? packageDocument(manifest, start, billing_type) : start;
};

/** A stored document. One from before a change of the format, or none, is replaced by the first document. */
export const storedDocument = (stored: PortalDocument | null, origin: Origin): PortalDocument => {
  if (stored === null) return firstDocument(origin);
  const parsed = parseDocument(stored);
  return 'value' in parsed ? parsed.value : firstDocument(origin);
};
