import {
  AccountBookOutlined,
  ApartmentOutlined,
  CloudUploadOutlined,
  CreditCardOutlined,
  FileTextOutlined,
  FolderOpenOutlined,
  GiftOutlined,
  HddOutlined,
  SafetyCertificateOutlined,
  SettingOutlined,
  TeamOutlined,
} from '@ant-design/icons';
import type { ComponentType } from 'react';

/** By the names that the menu's groups use. */
export const menuIcons: Readonly<Record<string, ComponentType>> = {
  AccountBookOutlined,
  ApartmentOutlined,
  CloudUploadOutlined,
  CreditCardOutlined,
  FileTextOutlined,
  FolderOpenOutlined,
  GiftOutlined,
  HddOutlined,
  SafetyCertificateOutlined,
  SettingOutlined,
  TeamOutlined,
};
