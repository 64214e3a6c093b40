import type { Text } from '@farlink/contract/kit/text.ts';
import { lazy, Suspense, useState } from 'react';
import { PictureIcon } from '../../ui/theme/icons.ts';
import { t } from '../chrome/lang.ts';

const PictureDialog = lazy(() => import('./picture-dialog.tsx'));

const view: Text = ['查看', 'View'];

/** The images of a cell; they are loaded on click. */
export const PictureButton = ({ paths, label }: { readonly paths: readonly string[]; readonly label: string }) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="act" aria-label={`${t(view)} ${label}`} onClick={() => setOpen(true)}>
        <PictureIcon aria-hidden /> {t(view)}
        {paths.length > 1 && ` (${paths.length})`}
      </button>
      {open && (
        <Suspense>
          <PictureDialog paths={paths} label={label} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
};
