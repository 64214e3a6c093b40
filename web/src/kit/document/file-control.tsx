import type { Field } from '@farlink/contract/kit/field.ts';
import { defaultPasswordRule } from '@farlink/contract/kit/password-rule.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import { isFile } from '@farlink/gateway/kit/rules.ts';
import { useState } from 'react';
import { ActButton } from '../../ui/native/act-button.tsx';
import { FileButton } from '../../ui/native/file-button.tsx';
import { t } from '../chrome/lang.ts';
import { CallError } from '../net/call.ts';
import { useDocumentContext } from './document-context.ts';

const texts = {
  choose: ['选择文件', 'Choose a file'],
  sending: ['正在上传…', 'Uploading…'],
  remove: ['移除', 'Remove'],
  failed: ['上传失败：{0}', 'Not uploaded: {0}'],
} as const satisfies Record<string, Text>;

interface FileControlProps {
  readonly id: string;
  readonly path: string;
  readonly field: Field;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly isWrong: boolean;
  readonly describedBy: string | undefined;
}

/** The rule that a file breaks, checked before the upload. */
const refusalOf = (field: Field, file: File) => {
  const metadata = { name: file.name, size: file.size, sha256: '0'.repeat(64) };
  const broken = field.rules.find((rule) => !rule.test(metadata, {}, { passwordRule: defaultPasswordRule }));
  return broken && typeof broken.text !== 'function' ? t(broken.text) : undefined;
};

/** A file is uploaded to the console at once. The document refers to it, and the gateway downloads it when the document is applied. */
export const FileControl = ({ id, path, field, value, onChange, isWrong, describedBy }: FileControlProps) => {
  const { upload } = useDocumentContext();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const take = async (file: File | undefined) => {
    if (!file || !upload) return;
    const broken = refusalOf(field, file);
    setRefused(broken);
    if (broken) return;
    setBusy(true);
    try {
      onChange(await upload(file, path));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setRefused(t(texts.failed, error.message));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="upload">
      <FileButton
        id={id}
        accept={[]}
        label={t(busy ? texts.sending : texts.choose)}
        describedBy={describedBy ?? ''}
        isWrong={isWrong || refused !== undefined}
        onFile={(file) => void take(file)}
      />
      {isFile(value) && (
        <span className="row upload-file">
          <span className="clip" title={value.sha256}>
            {value.name}
          </span>
          <span className="muted">{bytesText(value.size)}</span>
          <ActButton label={t(texts.remove)} of={value.name} onClick={() => onChange(undefined)} />
        </span>
      )}
      {refused !== undefined && (
        <span className="refusal" role="alert">
          {refused}
        </span>
      )}
    </div>
  );
};
