import {
  AccountBookOutlined,
  ApartmentOutlined,
  AuditOutlined,
  CloudUploadOutlined,
  CreditCardOutlined,
  DashboardOutlined,
  FileTextOutlined,
  FolderOpenOutlined,
  GiftOutlined,
  HddOutlined,
  LineChartOutlined,
  MessageOutlined,
  SafetyCertificateOutlined,
  SettingOutlined,
  ShopOutlined,
  TeamOutlined,
} from '@ant-design/icons';
import type { ComponentType } from 'react';

/** Icons by the names in the menu groups. */
export const menuIcons: Readonly<Record<string, ComponentType>> = {
  AccountBookOutlined,
  ApartmentOutlined,
  AuditOutlined,
  CloudUploadOutlined,
  CreditCardOutlined,
  DashboardOutlined,
  FileTextOutlined,
  FolderOpenOutlined,
  GiftOutlined,
  HddOutlined,
  LineChartOutlined,
  MessageOutlined,
  SafetyCertificateOutlined,
  SettingOutlined,
  ShopOutlined,
  TeamOutlined,
};
