import { ConfigProvider } from 'antd';
import enUS from 'antd/es/locale/en_US';
import zhCN from 'antd/es/locale/zh_CN';
import { type ComponentType, createContext, type ReactNode, use } from 'react';
import { usePhone } from '../browser/use-media.ts';
import { useDark } from './theme.ts';
import { tokensOf } from './tokens.ts';

const ThemedContext = createContext(false);

const Theme = ({ children }: { readonly children: ReactNode }) => (
  <ThemedContext value>
    <ConfigProvider
      locale={document.documentElement.lang === 'en' ? enUS : zhCN}
      theme={tokensOf(useDark(), usePhone())}
      button={{ autoInsertSpace: false }}
      wave={{ disabled: true }}
    >
      {children}
    </ConfigProvider>
  </ThemedContext>
);

/** Colors, sizes and language of the component library. It is around each control and not around the console, which starts without it. */
export const Themed = ({ children }: { readonly children: ReactNode }) => (use(ThemedContext) ? children : <Theme>{children}</Theme>);

export const themed =
  <P extends object>(Component: ComponentType<P>) =>
  (props: P) => (
    <Themed>
      <Component {...props} />
    </Themed>
  );
