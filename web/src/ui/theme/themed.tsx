import { ConfigProvider } from 'antd';
import enUS from 'antd/es/locale/en_US';
import zhCN from 'antd/es/locale/zh_CN';
import type { ReactNode } from 'react';
import { usePhone } from '../browser/use-media.ts';
import { useDark } from './theme.ts';
import { tokensOf } from './tokens.ts';

interface ThemedProps {
  readonly lang: 'zh' | 'en';
  readonly children: ReactNode;
}

/** Wraps every React root. */
export const Themed = ({ lang, children }: ThemedProps) => {
  return (
    <ConfigProvider
      locale={lang === 'zh' ? zhCN : enUS}
      theme={tokensOf(useDark(), usePhone())}
      button={{ autoInsertSpace: false }}
      wave={{ disabled: true }}
    >
      {children}
    </ConfigProvider>
  );
};
