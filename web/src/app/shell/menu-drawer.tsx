import type { Head } from '@farlink/contract/kit/page.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useEffect, useRef } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { IconButton } from '../../ui/native/icon-button.tsx';
import { RemoveIcon } from '../../ui/theme/icons.ts';
import type { OpenGroup } from '../permitted.ts';
import { LanguageSelect } from './language-select.tsx';
import { Operator } from './operator.tsx';
import { SideMenu } from './side-menu.tsx';
import { ThemeSelect } from './theme-select.tsx';
import './menu-drawer.css';

const texts = {
  menu: ['菜单', 'Menu'],
  close: ['关闭菜单', 'Close the menu'],
} as const satisfies Record<string, Text>;

interface MenuDrawerProps {
  readonly groups: readonly OpenGroup[];
  readonly page: Head | undefined;
  readonly onOpen: (page: Head) => void;
  readonly onClose: () => void;
}

/**
 * The main menu on a narrow screen, with items that do not fit into the header. The browser keeps the focus inside and closes it with Esc.
 */
export const MenuDrawer = ({ groups, page, onOpen, onClose }: MenuDrawerProps) => {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes the dialog
    <dialog
      ref={box}
      className="menu-drawer"
      aria-label={t(texts.menu)}
      onClose={(e) => e.currentTarget.open || onClose()}
      onClick={(e) => e.target === e.currentTarget && onClose()}
    >
      <div className="column menu-drawer-body">
        <IconButton label={t(texts.close)} onClick={onClose}>
          <RemoveIcon aria-hidden />
        </IconButton>
        <SideMenu
          groups={groups}
          page={page}
          collapsed={false}
          onOpen={(next) => {
            onClose();
            onOpen(next);
          }}
        />
        <div className="row menu-drawer-foot">
          <Operator />
          <span className="spring" />
          <LanguageSelect />
          <ThemeSelect />
        </div>
      </div>
    </dialog>
  );
};
