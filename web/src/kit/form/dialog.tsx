import { limits } from '@farlink/contract/limits.ts';
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef } from 'react';
import { Modal } from '../../ui/antd/modal.tsx';

interface DialogProps {
  readonly open: boolean;
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly width?: number | undefined;
  readonly footer?: ReactNode;
  readonly children: ReactNode;
  readonly afterClose?: () => void;
}

type Guard = () => Promise<boolean>;
const GuardContext = createContext<RefObject<Guard | null> | null>(null);

/** Lets the content of a dialog confirm before the × button closes it. */
export const useCloseGuard = (guard: Guard) => {
  const guardRef = useContext(GuardContext);
  useEffect(() => {
    if (guardRef) guardRef.current = guard;
  });
};

/** spec §9: 500 px wide, 15vh from the top, closes only by its own buttons. */
export const Dialog = ({ open, title, onClose, width = limits.dialogWidth, footer = null, children, afterClose }: DialogProps) => {
  const guard = useRef<Guard>(null);
  const close = async () => {
    if (!guard.current || (await guard.current())) onClose();
  };
  return (
    <Modal
      open={open}
      title={title}
      onCancel={() => void close()}
      width={width}
      top={limits.dialogTop}
      footer={footer}
      afterClose={afterClose}
    >
      <GuardContext value={guard}>{children}</GuardContext>
    </Modal>
  );
};
