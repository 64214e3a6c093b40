import { Modal as AntModal } from 'antd';
import { type ReactNode, useEffect, useRef } from 'react';
import { usePhone } from '../browser/use-media.ts';
import { useReturnFocus } from '../browser/use-return-focus.ts';
import { Themed } from '../theme/themed.tsx';

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

const focusTargets = ['[data-first]', '.ant-modal-body :is(input, textarea, button, a[href])', '.ant-modal-footer button'];

const focusFirst = (box: Element | null | undefined) => {
  const at = document.activeElement;
  if (!box || (box.contains(at) && !at?.matches('.ant-modal-close'))) return;
  const found = focusTargets.map((each) => box.querySelector<HTMLElement>(each)).find((each) => each !== null);
  found?.focus({ preventScroll: true });
};

/** The content gets the focus instead of the × button, because Enter would close the dialog at once. */
const Content = ({ children }: { readonly children: ReactNode }) => {
  const content = useRef<HTMLDivElement>(null);
  // Runs after the dialog has moved the focus to its × button.
  useEffect(() => queueMicrotask(() => focusFirst(content.current?.closest('[role=dialog]'))), []);
  return <div ref={content}>{children}</div>;
};

/** Ignores outside clicks and Esc, so that input is not lost by accident. */
export const Modal = ({ open, title, onCancel, width, top, footer, children, afterClose }: ModalProps) => {
  useReturnFocus();
  const isPhone = usePhone();
  return (
    <Themed>
      <AntModal
        open={open}
        title={title}
        onCancel={onCancel}
        width={isPhone ? '100vw' : width}
        style={isPhone ? { top: 0, maxWidth: '100vw', margin: 0, padding: 0 } : { top, maxWidth: 'calc(100vw - 32px)' }}
        mask={{ closable: false }}
        keyboard={false}
        destroyOnHidden
        footer={footer}
        afterClose={afterClose}
      >
        <Content>{children}</Content>
      </AntModal>
    </Themed>
  );
};
