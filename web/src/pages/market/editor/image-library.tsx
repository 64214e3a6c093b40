import type { RowOf } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { imageResource } from '@farlink/contract/market/portal.ts';
import type { PortalImage } from '@farlink/portal/document.ts';
import { t } from '../../../kit/chrome/lang.ts';
import { Unread } from '../../../kit/chrome/read-failed.tsx';
import { EmptyState } from '../../../ui/native/empty-state.tsx';
import { Panel } from '../../../ui/native/panel.tsx';
import { useEditorTools } from './editor-context.ts';
import { PortalPicture, usePortalImages } from './portal-picture.tsx';

const texts = {
  title: ['素材库', 'Image library'],
  none: ['还没有素材', 'No images yet'],
  hint: ['上传的图片会出现在这里', 'Uploaded images appear here'],
  use: ['使用{0}', 'Use {0}'],
} as const satisfies Record<string, Text>;

interface ImageLibraryProps {
  readonly onSelect: (image: PortalImage) => void;
  readonly onClose: () => void;
}

type ResourceRow = RowOf<typeof imageResource>;

const imageOf = ({ sha256, ext, width, height }: ResourceRow): PortalImage | undefined => {
  if (sha256 === null || width === null || height === null) return undefined;
  return ext === 'png' || ext === 'jpg' ? { sha256, ext, width, height } : undefined;
};

/** Images that were uploaded before. */
export const ImageLibrary = ({ onSelect, onClose }: ImageLibraryProps) => {
  const { portal } = useEditorTools();
  const { data, error, refetch } = usePortalImages(portal.id);
  return (
    <Panel title={t(texts.title)} onClose={onClose}>
      {error && <Unread retry={refetch} />}
      {data?.list.length === 0 && <EmptyState title={t(texts.none)} hint={t(texts.hint)} />}
      <ul className="image-library">
        {data?.list.map((row) => {
          const image = imageOf(row);
          if (!image) return null;
          const name = row.name ?? '';
          return (
            <li key={row.id}>
              <button
                type="button"
                className="image-offer"
                aria-label={t(texts.use, name)}
                onClick={() => {
                  onSelect(image);
                  onClose();
                }}
              >
                <PortalPicture image={image} alt="" />
                <span className="clip">{name}</span>
                <small className="muted">
                  {image.width}×{image.height}
                </small>
              </button>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
};
