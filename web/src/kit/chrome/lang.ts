import { fill, isLang, type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { showToast } from '../../ui/native/toast.ts';

const key = 'farlink-lang';

const stored = localStorage.getItem(key);

/** Constant until reload: switching the language reloads the page (spec §1). */
export const lang: Lang = isLang(stored) ? stored : 'zh';

export const t = (text: Text, ...args: (string | number | Text)[]): string => say(args.length > 0 ? fill(text, ...args) : text, lang);

/** Separator between a name and its text. */
export const colon = t(['：', ': ']);

const switched: Text = ['语言已切换，页面即将刷新', 'Language changed. The page will reload.'];

export const switchLang = (next: Lang) => {
  if (next === lang) return;
  localStorage.setItem(key, next);
  showToast('success', say(switched, next), { ms: limits.notificationMs, top: limits.notificationOffset });
  setTimeout(() => location.reload(), limits.languageReloadMs);
};
