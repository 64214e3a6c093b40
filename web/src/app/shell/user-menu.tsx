import { deobfuscate } from '@farlink/contract/kit/obfuscate.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { confirm } from '../../kit/chrome/notify.tsx';
import { MenuButton } from '../../ui/native/menu-button.tsx';
import { ExportIcon, LogoutIcon, PasswordIcon, PhoneIcon, UserIcon } from '../../ui/theme/shell-icons.ts';
import { logout } from '../end-session.ts';
import { useIdentity } from '../identity.ts';
import { importRetry } from '../load-chunk.ts';

const ChangePassword = lazy(() => importRetry(() => import('./change-password.tsx')));
const ExportDrawer = lazy(() => importRetry(() => import('../../kit/export/export-drawer.tsx')));
const ChangePhone = lazy(() => importRetry(() => import('./change-phone.tsx')));

const account: Text = ['账号菜单', 'Account menu'];
const leaveTitle: Text = ['退出登录', 'Log out'];
const leaveQuestion: Text = ['确定要退出登录吗？', 'Are you sure you want to log out?'];
const changePassword: Text = ['修改密码', 'Change password'];
const changePhone: Text = ['修改手机号', 'Change phone'];
const verifyPhone: Text = ['验证手机号', 'Verify phone'];
const myExports: Text = ['我的导出', 'My exports'];

const confirmLogout = async () => {
  if (await confirm(leaveQuestion, { title: leaveTitle })) await logout();
};

export const UserMenu = () => {
  const { session, profile } = useIdentity();
  const [dialog, setDialog] = useState<'password' | 'phone' | 'verify' | 'exports'>();
  const name = deobfuscate(session.nickname) || profile.username;
  const close = () => setDialog(undefined);

  // When another operator works as this account, its password and phone cannot be changed.
  const own = [
    { key: 'password', icon: <PasswordIcon aria-hidden />, label: t(changePassword), onSelect: () => setDialog('password') },
    { key: 'phone', icon: <PhoneIcon aria-hidden />, label: t(changePhone), onSelect: () => setDialog('phone') },
    ...(profile.phone_verified
      ? []
      : [{ key: 'verify', icon: <PhoneIcon aria-hidden />, label: t(verifyPhone), onSelect: () => setDialog('verify') }]),
  ];
  const items = [
    { key: 'exports', icon: <ExportIcon aria-hidden />, label: t(myExports), onSelect: () => setDialog('exports') },
    ...(profile.acted_by === null ? own : []),
    { key: 'logout', icon: <LogoutIcon aria-hidden />, label: t(leaveTitle), danger: true, onSelect: () => void confirmLogout() },
  ];
  const heading = (
    <div className="user-identity">
      <strong>{profile.username}</strong>
      {profile.role_name && <span className="muted">{profile.role_name}</span>}
    </div>
  );

  return (
    <>
      <MenuButton className="user" label={`${t(account)} ${name}`} items={items} heading={heading}>
        <UserIcon aria-hidden />
        <span>{name}</span>
      </MenuButton>
      <Suspense>
        {dialog === 'password' && <ChangePassword onClose={close} />}
        {dialog === 'exports' && <ExportDrawer title={t(myExports)} onClose={close} />}
        {(dialog === 'phone' || dialog === 'verify') && <ChangePhone isVerify={dialog === 'verify'} onClose={close} />}
      </Suspense>
    </>
  );
};
