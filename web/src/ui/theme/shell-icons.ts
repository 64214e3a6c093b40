export {
  BellOutlined as BellIcon,
  ExportOutlined as ExportIcon,
  GlobalOutlined as LanguageIcon,
  LockOutlined as PasswordIcon,
  LogoutOutlined as LogoutIcon,
  MenuFoldOutlined as FoldIcon,
  MenuOutlined as MenuIcon,
  MenuUnfoldOutlined as UnfoldIcon,
  MobileOutlined as PhoneIcon,
  RightOutlined as OpenIcon,
  SearchOutlined as SearchIcon,
  UserOutlined as UserIcon,
} from '@ant-design/icons';
