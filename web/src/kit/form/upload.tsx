import type { UploadRule } from '@farlink/contract/kit/rule.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import { useState } from 'react';
import { errorId } from '../../ui/native/field-frame.tsx';
import { FileButton } from '../../ui/native/file-button.tsx';
import { isImage, UploadThumbnail } from '../../ui/native/upload-thumbnail.tsx';
import { t } from '../chrome/lang.ts';
import { uploadFits } from './check-upload.ts';

interface UploadProps {
  readonly id: string;
  readonly rule: UploadRule | undefined;
  readonly value: unknown;
  readonly isWrong: boolean;
  readonly onChange: (file: File | undefined) => void;
}

/** One file, checked before it is accepted; an image has a preview. */
export const Upload = ({ id, rule, value, isWrong, onChange }: UploadProps) => {
  const [refused, setRefused] = useState<string>();
  const hintId = `${id}-hint`;
  const take = (file: File | undefined) => {
    const fits = !file || !rule || uploadFits(file, rule);
    setRefused(fits ? undefined : file.name);
    onChange(fits ? file : undefined);
  };
  return (
    <div className="upload">
      <FileButton
        id={id}
        accept={rule?.accept ?? []}
        label={t(['选择文件', 'Choose a file'])}
        describedBy={[...(isWrong ? [errorId(id)] : []), ...(rule ? [hintId] : [])].join(' ')}
        isWrong={isWrong || refused !== undefined}
        onFile={take}
      />
      {value instanceof File && (
        <span className="row upload-file">
          {isImage(value) && <UploadThumbnail file={value} />}
          <span className="clip" title={value.name}>
            {value.name}
          </span>
          <span className="muted">{bytesText(value.size)}</span>
          <button type="button" className="act" aria-label={`${t(['移除', 'Remove'])} ${value.name}`} onClick={() => take(undefined)}>
            {t(['移除', 'Remove'])}
          </button>
        </span>
      )}
      {rule && (
        <span id={hintId} className={refused === undefined ? 'hint' : 'refusal'} role={refused === undefined ? undefined : 'alert'}>
          {refused === undefined ? '' : `${refused}: `}
          {t(rule.text)}
        </span>
      )}
    </div>
  );
};
