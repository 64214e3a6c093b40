import type { Text } from '@farlink/contract/kit/text.ts';
import type { PortalImage } from '@farlink/portal/document.ts';
import { useId, useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { ActButton } from '../../../ui/native/act-button.tsx';
import { FieldFrame } from '../../../ui/native/field-frame.tsx';
import { FileButton } from '../../../ui/native/file-button.tsx';
import { useEditorTools } from './editor-context.ts';
import { ImageLibrary } from './image-library.tsx';
import { PortalPicture } from './portal-picture.tsx';
import { imageRule, imageSuffixes, useImageUpload } from './use-image-upload.ts';

const texts = {
  upload: ['上传图片', 'Upload'],
  replace: ['更换图片', 'Replace'],
  busy: ['正在上传…', 'Uploading…'],
  library: ['从素材库选择', 'Choose from library'],
  remove: ['移除', 'Remove'],
} as const satisfies Record<string, Text>;

interface ImageFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly image: PortalImage | undefined;
  readonly onChange: (image: PortalImage | undefined) => void;
}

/** One image: uploaded, or chosen from the library. */
export const ImageField = ({ name, label, hint = t(imageRule), image, onChange }: ImageFieldProps) => {
  const id = useId();
  const { portal } = useEditorTools();
  const { isBusy, refusal, upload } = useImageUpload(portal.id);
  const [isChoosing, setChoosing] = useState(false);
  const take = async (file: File | undefined) => {
    const [made] = file ? await upload([file]) : [];
    if (made) onChange(made);
  };
  return (
    <div data-field={name}>
      <FieldFrame id={id} kind="file" label={label} tips={undefined} needed={false} error={refusal} onLeave={() => undefined}>
        <div className="image-field" aria-busy={isBusy}>
          {image && <PortalPicture image={image} alt={`${label} ${image.width}×${image.height}`} />}
          <div className="row wrap image-acts">
            <FileButton
              id={id}
              accept={imageSuffixes}
              label={t(isBusy ? texts.busy : image ? texts.replace : texts.upload)}
              describedBy={`${id}-hint`}
              isWrong={refusal !== undefined}
              onFile={(file) => void take(file)}
            />
            <ActButton label={t(texts.library)} of={label} onClick={() => setChoosing(true)} />
            {image && <ActButton label={t(texts.remove)} of={label} danger onClick={() => onChange(undefined)} />}
          </div>
        </div>
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      </FieldFrame>
      {isChoosing && <ImageLibrary onSelect={onChange} onClose={() => setChoosing(false)} />}
    </div>
  );
};
