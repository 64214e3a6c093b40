import { ApartmentOutlined, FileTextOutlined, GiftOutlined, SafetyCertificateOutlined, SettingOutlined } from '@ant-design/icons';
import type { ComponentType } from 'react';

/** By the names that the menu's groups use. */
export const menuIcons: Readonly<Record<string, ComponentType>> = {
  ApartmentOutlined,
  FileTextOutlined,
  GiftOutlined,
  SafetyCertificateOutlined,
  SettingOutlined,
};
