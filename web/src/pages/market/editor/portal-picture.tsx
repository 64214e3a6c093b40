import { portalCalls } from '@farlink/contract/market/portal.ts';
import type { PortalImage } from '@farlink/portal/document.ts';
import { useQuery } from '@tanstack/react-query';
import { usePicture } from '../../../kit/form/use-picture.ts';
import { call } from '../../../kit/net/call.ts';
import { useEditorTools } from './editor-context.ts';

const maxImages = 100;

/** Images of the VNO, newest first. */
export const usePortalImages = (id: number) =>
  useQuery({
    queryKey: ['portal-images', id],
    queryFn: () => call(portalCalls.resources, { id, page: 1, limit: maxImages, orderby: 'create_at desc', filters: {} }, { silent: true }),
  });

interface PictureProps {
  readonly path: string;
  readonly alt: string;
}

const Uploaded = ({ path, alt }: PictureProps) => {
  const { url } = usePicture(path);
  return url === undefined ? <span className="image-thumb" /> : <img className="image-thumb" src={url} alt={alt} />;
};

/** An image of the document. One of a template package is not in the library, but in the preview. */
export const PortalPicture = ({ image, alt }: { readonly image: PortalImage; readonly alt: string }) => {
  const { portal, imageUrl } = useEditorTools();
  const { data } = usePortalImages(portal.id);
  if (!data) return <span className="image-thumb" />;
  const path = data.list.find(({ sha256 }) => sha256 === image.sha256)?.preview;
  return path ? <Uploaded path={path} alt={alt} /> : <img className="image-thumb" src={imageUrl(image)} alt={alt} />;
};
