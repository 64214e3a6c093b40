import { Drawer } from 'antd';
import type { ReactNode } from 'react';
import { useReturnFocus } from './use-return-focus.ts';

interface SidePanelProps {
  readonly title: ReactNode;
  readonly width?: number;
  readonly onClose: () => void;
  readonly extra?: ReactNode;
  readonly children: ReactNode;
}

/** Shows something beside the list without losing the place in it. Present is open. */
const SidePanel = ({ title, width = 480, onClose, extra, children }: SidePanelProps) => {
  useReturnFocus();
  return (
    <Drawer
      open
      title={title}
      size={width}
      onClose={onClose}
      extra={extra}
      styles={{ wrapper: { maxWidth: '96vw' }, body: { padding: '12px 24px 24px' } }}
    >
      {children}
    </Drawer>
  );
};
export default SidePanel;
