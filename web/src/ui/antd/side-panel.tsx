import { Drawer } from 'antd';
import type { ReactNode } from 'react';
import { usePhone } from '../browser/use-media.ts';
import { useReturnFocus } from '../browser/use-return-focus.ts';
import { Themed } from '../theme/themed.tsx';

interface SidePanelProps {
  readonly title: ReactNode;
  readonly width?: number;
  readonly onClose: () => void;
  readonly extra?: ReactNode;
  /** A bottom sheet with the height of its content. */
  readonly isSheet?: boolean;
  readonly children: ReactNode;
}

/** A side panel beside the list. It is open while mounted. */
const SidePanel = ({ title, width = 480, onClose, extra, isSheet = false, children }: SidePanelProps) => {
  useReturnFocus();
  const isPhone = usePhone();
  return (
    <Themed>
      <Drawer
        open
        title={title}
        className={isSheet ? 'sheet' : undefined}
        placement={isSheet ? 'bottom' : 'right'}
        size={isSheet ? 'auto' : width}
        onClose={onClose}
        extra={extra}
        styles={{
          wrapper: { maxWidth: isPhone ? '100vw' : '96vw', maxHeight: isSheet ? '88dvh' : undefined },
          body: { padding: isPhone ? '12px 16px max(16px, env(safe-area-inset-bottom))' : '12px 24px 24px' },
        }}
      >
        {children}
      </Drawer>
    </Themed>
  );
};
export default SidePanel;
