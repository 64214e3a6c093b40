import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../kit/chrome/lang.ts';
import { setThemeChoice, type ThemeChoice, useThemeChoice } from '../ui/theme/theme.ts';

const themeNames: Record<ThemeChoice, Text> = {
  light: ['浅色', 'Light'],
  dark: ['深色', 'Dark'],
  system: ['跟随系统', 'System'],
};
const theme: Text = ['主题：{0}', 'Theme: {0}'];

const after: Record<ThemeChoice, ThemeChoice> = { system: 'light', light: 'dark', dark: 'system' };

export const useThemeCycle = () => {
  const choice = useThemeChoice();
  return { choice, label: t(theme, themeNames[choice]), next: () => setThemeChoice(after[choice]) };
};

const rays = 'M8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1';

export const ThemeIcon = ({ choice }: { choice: ThemeChoice }) => (
  <svg
    width="16"
    height="16"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.3"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {choice === 'light' && (
      <>
        <circle cx="8" cy="8" r="3" />
        <path d={rays} />
      </>
    )}
    {choice === 'dark' && <path d="M13.6 9.6A6 6 0 0 1 6.4 2.4a6 6 0 1 0 7.2 7.2Z" />}
    {choice === 'system' && (
      <>
        <rect x="1.8" y="2.5" width="12.4" height="8.6" rx="1.4" />
        <path d="M5.5 13.8h5M8 11.1v2.7" />
      </>
    )}
  </svg>
);
