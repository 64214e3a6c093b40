import { store } from '../browser/store.ts';
import { dark, fontStack, light, monoStack } from './palette.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';

const key = 'farlink-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

const readChoice = (): ThemeChoice => {
  const stored = localStorage.getItem(key);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
};
const choice = store(readChoice());
const isDarkNow = () => (choice.get() === 'system' ? system.matches : choice.get() === 'dark');
const isDark = store(isDarkNow());

const paint = () => {
  const root = document.documentElement;
  isDark.set(isDarkNow());
  root.dataset.theme = isDark.get() ? 'dark' : 'light';
  for (const [name, color] of Object.entries(isDark.get() ? dark : light)) root.style.setProperty(`--${name}`, color);
};

/** Called once at start, before the first component. The system theme applies until the operator chooses one. */
export const startTheme = () => {
  system.addEventListener('change', paint);
  document.documentElement.style.setProperty('--font', fontStack);
  document.documentElement.style.setProperty('--mono', monoStack);
  paint();
};

export const setThemeChoice = (next: ThemeChoice) => {
  if (next === 'system') localStorage.removeItem(key);
  else localStorage.setItem(key, next);
  choice.set(next);
  paint();
};

export const useThemeChoice = choice.use;
export const useDark = isDark.use;
