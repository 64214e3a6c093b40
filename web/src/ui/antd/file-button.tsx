import { Button } from 'antd';
import { useRef } from 'react';
import { UploadIcon } from '../theme/icons.ts';

interface FileButtonProps {
  readonly id: string;
  /** Suffixes without their dot. */
  readonly accept: readonly string[];
  readonly label: string;
  readonly describedBy: string;
  readonly isWrong: boolean;
  readonly onFile: (file: File | undefined) => void;
}

/** The keyboard meets the browser's own control, which carries the field's name; the mouse meets the button beside it. */
export const FileButton = ({ id, accept, label, describedBy, isWrong, onFile }: FileButtonProps) => {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        id={id}
        type="file"
        className="visually-hidden"
        accept={accept.flatMap((suffix) => (suffix ? [`.${suffix}`] : [])).join(',')}
        aria-describedby={describedBy || undefined}
        aria-invalid={isWrong}
        onChange={(e) => {
          onFile(e.target.files?.[0]);
          e.target.value = '';
        }}
      />
      <Button icon={<UploadIcon aria-hidden />} tabIndex={-1} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
};
