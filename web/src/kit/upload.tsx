import type { UploadRule } from '@farlink/contract/kit/rule.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import { useState } from 'react';
import { FileButton } from '../ui/file-button.tsx';
import { uploadFits } from './check-upload.ts';
import { t } from './lang.ts';

interface UploadProps {
  readonly id: string;
  readonly rule: UploadRule | undefined;
  readonly value: unknown;
  readonly onChange: (file: File | undefined) => void;
}

/** One file, judged before it is taken. */
export const Upload = ({ id, rule, value, onChange }: UploadProps) => {
  const [refused, setRefused] = useState(false);
  const take = (file: File | undefined) => {
    const fits = !file || !rule || uploadFits(file, rule);
    setRefused(!fits);
    onChange(fits ? file : undefined);
  };
  return (
    <div>
      <FileButton id={id} accept={rule?.accept ?? []} label={t(['选择文件', 'Choose a file'])} onFile={take} />{' '}
      {value instanceof File && (
        <span>
          {value.name} <span className="muted">{bytesText(value.size)}</span>{' '}
          <button type="button" className="act" onClick={() => take(undefined)}>
            {t(['移除', 'Remove'])}
          </button>
        </span>
      )}
      {rule && <span className={refused ? 'refusal' : 'hint'}>{t(rule.text)}</span>}
    </div>
  );
};
