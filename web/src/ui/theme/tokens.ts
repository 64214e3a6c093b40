import { theme as antTheme, type ThemeConfig } from 'antd';
import { dark, fontStack, light, monoStack } from './palette.ts';

/** Tokens of the component library; our stylesheets use the same colors as custom properties. */
export const tokensOf = (isDark: boolean, isPhone: boolean): ThemeConfig => {
  const p = isDark ? dark : light;
  return {
    // All providers share one set of custom properties for each look.
    cssVar: { key: `${isDark ? 'dark' : 'light'}-${isPhone ? 'phone' : 'desktop'}` },
    algorithm: isDark ? antTheme.darkAlgorithm : antTheme.defaultAlgorithm,
    token: {
      fontFamily: fontStack,
      fontFamilyCode: monoStack,
      fontSize: 13,
      borderRadius: 6,
      // Touch targets need 44 px.
      controlHeight: isPhone ? 44 : 32,
      controlHeightSM: isPhone ? 44 : 24,
      wireframe: false,
      // With reduced motion, nothing waits for the end of an animation.
      motion: !matchMedia('(prefers-reduced-motion: reduce)').matches,
      colorPrimary: p.accent,
      colorPrimaryHover: p.accentHover,
      colorPrimaryActive: p.accent,
      colorInfo: p.accent,
      colorLink: p.link,
      colorLinkHover: p.link,
      colorLinkActive: p.link,
      colorPrimaryText: p.link,
      colorSuccess: p.success,
      colorWarning: p.warning,
      colorError: p.error,
      colorErrorText: p.error,
      colorErrorHover: p.error,
      colorErrorActive: p.error,
      colorText: p.text,
      colorTextSecondary: p.muted,
      colorTextTertiary: p.faint,
      colorTextDescription: p.muted,
      colorTextPlaceholder: p.faint,
      colorTextDisabled: p.faint,
      colorBgLayout: p.page,
      colorBgContainer: p.surface,
      colorBgElevated: p.raised,
      colorBgContainerDisabled: isDark ? '#1a212b' : '#f2f4f7',
      colorBorder: p.line,
      colorBorderSecondary: p.hairline,
      colorSplit: p.hairline,
      controlItemBgHover: p.hover,
      controlItemBgActive: p.tint,
      controlItemBgActiveHover: p.tint,
      boxShadowSecondary: isDark ? '0 8px 24px rgba(0,0,0,.55)' : '0 8px 24px rgba(20,30,50,.12)',
      boxShadowTertiary: 'none',
      motionDurationMid: '0.12s',
      motionDurationSlow: '0.18s',
    },
    components: {
      Button: {
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        fontWeight: 500,
        colorLink: p.link,
        // On a dark surface, the accent is too dark for text.
        defaultHoverColor: p.link,
        defaultHoverBorderColor: p.link,
        defaultActiveColor: p.link,
        defaultActiveBorderColor: p.link,
        dangerColor: p.onError,
      },
      Modal: { titleFontSize: 15, headerBg: p.raised, contentBg: p.raised },
      Select: { optionSelectedBg: p.tint, optionSelectedColor: p.text },
    },
  };
};
