import type { Text } from '@farlink/contract/kit/text.ts';
import { lazy, Suspense, useState } from 'react';
import { PictureIcon } from '../../ui/theme/icons.ts';
import { t } from '../chrome/lang.ts';

const PictureDialog = lazy(() => import('./picture-dialog.tsx'));

const view: Text = ['查看', 'View'];

/** An image in a cell; it is loaded on click. */
export const PictureButton = ({ path, label }: { readonly path: string; readonly label: string }) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="act" aria-label={`${t(view)} ${label}`} onClick={() => setOpen(true)}>
        <PictureIcon aria-hidden /> {t(view)}
      </button>
      {open && (
        <Suspense>
          <PictureDialog path={path} label={label} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
};
