import { Modal as AntModal } from 'antd';
import type { ReactNode } from 'react';
import { useReturnFocus } from './use-return-focus.ts';

interface ModalProps {
  readonly open: boolean;
  readonly title: ReactNode;
  readonly onCancel: () => void;
  readonly width: number;
  readonly top: string;
  readonly footer: ReactNode;
  readonly children: ReactNode;
  readonly afterClose?: () => void;
}

/** Ignores outside clicks and Esc: what was typed is not lost by a slip. */
export const Modal = ({ open, title, onCancel, width, top, footer, children, afterClose }: ModalProps) => {
  useReturnFocus();
  return (
    <AntModal
      open={open}
      title={title}
      onCancel={onCancel}
      width={width}
      style={{ top, maxWidth: 'calc(100vw - 32px)' }}
      mask={{ closable: false }}
      keyboard={false}
      destroyOnHidden
      footer={footer}
      afterClose={afterClose}
    >
      {children}
    </AntModal>
  );
};
