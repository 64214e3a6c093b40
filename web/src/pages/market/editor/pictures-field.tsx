import type { Text } from '@farlink/contract/kit/text.ts';
import type { BlockOf, PortalImage } from '@farlink/portal/document.ts';
import { useId, useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { ActButton } from '../../../ui/native/act-button.tsx';
import { errorId } from '../../../ui/native/field-frame.tsx';
import { FileButton } from '../../../ui/native/file-button.tsx';
import { LineInput } from '../../../ui/native/line-input.tsx';
import { Refusal } from '../../../ui/native/refusal.tsx';
import { faultAt } from './document-faults.ts';
import { useEditorTools } from './editor-context.ts';
import { ImageLibrary } from './image-library.tsx';
import { PortalPicture } from './portal-picture.tsx';
import { TextPair } from './text-pair.tsx';
import { imageRule, imageSuffixes, useImageUpload } from './use-image-upload.ts';

const texts = {
  upload: ['上传图片', 'Upload images'],
  busy: ['正在上传…', 'Uploading…'],
  library: ['从素材库选择', 'Choose from library'],
  remove: ['移除', 'Remove'],
  up: ['前移', 'Move up'],
  down: ['后移', 'Move down'],
  alt: ['替代文字', 'Alternative text'],
  link: ['点击跳转', 'Link'],
  picture: ['第{0}张', 'Image {0}'],
  count: ['{0}/{1}张，可一次选择多张。', '{0} of {1}. Several files can be chosen at once.'],
  full: ['最多{0}张', 'At most {0} images'],
} as const satisfies Record<string, Text>;

type Pictures = BlockOf<'banners'>['images'];
type Picture = Pictures[number];

interface PicturesFieldProps {
  readonly name: string;
  readonly label: string;
  /** Id of the block, or undefined if it does not exist yet. */
  readonly block: string | undefined;
  readonly images: Pictures;
  readonly most: number;
  /** `field` joins typing to one step of undo. */
  readonly onChange: (images: Pictures, field?: string) => void;
}

interface PictureRowProps {
  readonly id: string;
  readonly block: string | undefined;
  readonly at: number;
  readonly picture: Picture;
  readonly count: number;
  readonly onChange: (picture: Picture, field: string) => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}

const withLink = ({ link: _, ...picture }: Picture, link: string): Picture => (link === '' ? picture : { ...picture, link });

const PictureRow = ({ id, block, at, picture, count, onChange, onMove, onRemove }: PictureRowProps) => {
  const { faults, shown } = useEditorTools();
  const name = t(texts.picture, at + 1);
  const path = `images[${at}]`;
  const fault = faultAt(faults, block, `${path}.link`);
  return (
    <li className="picture-row">
      <div className="row picture-head">
        <PortalPicture image={picture.image} alt={name} />
        <span className="muted">{name}</span>
        <span className="spring" />
        {at > 0 && <ActButton label={t(texts.up)} of={name} onClick={() => onMove(at - 1)} />}
        {at < count - 1 && <ActButton label={t(texts.down)} of={name} onClick={() => onMove(at + 1)} />}
        <ActButton label={t(texts.remove)} of={name} danger onClick={onRemove} />
      </div>
      <TextPair
        id={`${id}-alt-${at}`}
        name={`${path}.alt`}
        label={`${t(texts.alt)} ${at + 1}`}
        value={picture.alt}
        max={120}
        shown={shown}
        faultOf={(lang) => faultAt(faults, block, `${path}.alt[${lang === 'zh' ? 0 : 1}]`)}
        onChange={(alt, lang) => onChange({ ...picture, alt }, `alt.${lang}`)}
      />
      <div className="field" data-field={`${path}.link`}>
        <label htmlFor={`${id}-link-${at}`}>
          {t(texts.link)} {at + 1}
        </label>
        <div>
          <LineInput
            id={`${id}-link-${at}`}
            value={picture.link ?? ''}
            placeholder="https://"
            isWrong={fault !== undefined}
            describedBy={fault && errorId(`${id}-link-${at}`)}
            onChange={(link) => onChange(withLink(picture, link.trim()), 'link')}
          />
          <Refusal id={errorId(`${id}-link-${at}`)} text={fault && t(fault)} />
        </div>
      </div>
    </li>
  );
};

/** Ordered images with alternative texts and links. */
export const PicturesField = ({ name, label, block, images, most, onChange }: PicturesFieldProps) => {
  const id = useId();
  const { portal } = useEditorTools();
  const { isBusy, refusal, upload } = useImageUpload(portal.id);
  const [isChoosing, setChoosing] = useState(false);
  const isFull = images.length >= most;
  const add = (made: readonly PortalImage[]) =>
    made.length > 0 && onChange([...images, ...made.map((image): Picture => ({ image, alt: ['', ''] }))].slice(0, most));
  const take = async (files: readonly File[]) => add(await upload(files.slice(0, most - images.length)));
  return (
    <fieldset className="pictures" data-field={name}>
      <legend>{label}</legend>
      <ol>
        {images.map((picture, at) => (
          <PictureRow
            // biome-ignore lint/suspicious/noArrayIndexKey: the same image may be there twice
            key={`${picture.image.sha256}-${at}`}
            id={id}
            block={block}
            at={at}
            picture={picture}
            count={images.length}
            onChange={(next, field) => onChange(images.with(at, next), `${at}.${field}`)}
            onMove={(to) => onChange(images.toSpliced(at, 1).toSpliced(to, 0, picture))}
            onRemove={() => onChange(images.toSpliced(at, 1))}
          />
        ))}
      </ol>
      {isFull ? (
        <span className="hint">{t(texts.full, most)}</span>
      ) : (
        <div aria-busy={isBusy}>
          <div className="row wrap image-acts">
            <label className="visually-hidden" htmlFor={id}>
              {t(texts.upload)} {label}
            </label>
            <FileButton
              id={id}
              accept={imageSuffixes}
              label={t(isBusy ? texts.busy : texts.upload)}
              describedBy={`${id}-hint`}
              isWrong={refusal !== undefined}
              onFiles={(files) => void take(files)}
            />
            <ActButton label={t(texts.library)} of={label} onClick={() => setChoosing(true)} />
          </div>
          <Refusal text={refusal} />
          <span id={`${id}-hint`} className="hint">
            {t(texts.count, images.length, most)} {t(imageRule)}
          </span>
        </div>
      )}
      {isChoosing && <ImageLibrary onSelect={(image) => add([image])} onClose={() => setChoosing(false)} />}
    </fieldset>
  );
};
