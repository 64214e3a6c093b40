import { useRef } from 'react';
import { UploadIcon } from '../theme/icons.ts';
import { Button } from './button.tsx';

interface FileButtonProps {
  readonly id: string;
  /** Extensions without the dot. */
  readonly accept: readonly string[];
  readonly label: string;
  readonly describedBy: string;
  readonly isWrong: boolean;
  readonly onFile?: (file: File | undefined) => void;
  /** Accepts several files at once. */
  readonly onFiles?: (files: readonly File[]) => void;
}

/** The keyboard uses the native file input, which has the field label; the mouse uses the button. */
export const FileButton = ({ id, accept, label, describedBy, isWrong, onFile, onFiles }: FileButtonProps) => {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        id={id}
        type="file"
        className="visually-hidden"
        multiple={onFiles !== undefined}
        accept={accept.flatMap((suffix) => (suffix ? [`.${suffix}`] : [])).join(',')}
        aria-describedby={describedBy || undefined}
        aria-invalid={isWrong}
        onChange={(e) => {
          onFile?.(e.target.files?.[0]);
          onFiles?.([...(e.target.files ?? [])]);
          e.target.value = '';
        }}
      />
      <Button icon={<UploadIcon aria-hidden />} tabIndex={-1} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
};
