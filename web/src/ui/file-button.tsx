import { Button } from 'antd';
import { useRef } from 'react';
import { UploadIcon } from './icons.ts';

interface FileButtonProps {
  readonly id: string;
  /** Suffixes without their dot. */
  readonly accept: readonly string[];
  readonly label: string;
  readonly onFile: (file: File | undefined) => void;
}

export const FileButton = ({ id, accept, label, onFile }: FileButtonProps) => {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        id={id}
        type="file"
        className="visually-hidden"
        accept={accept.flatMap((suffix) => (suffix ? [`.${suffix}`] : [])).join(',')}
        onChange={(e) => {
          onFile(e.target.files?.[0]);
          e.target.value = '';
        }}
      />
      <Button icon={<UploadIcon aria-hidden />} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
};
