import { type Lang, langs, type Text } from '@farlink/contract/kit/text.ts';
import { lang, switchLang, t } from '../../kit/chrome/lang.ts';
import { ThemeIcon, useThemeCycle } from '../theme-choice.tsx';

const names: Record<Lang, string> = { zh: '中文', en: 'English' };
const language: Text = ['语言', 'Language'];

export const LoginOptions = () => {
  const { choice, label, next } = useThemeCycle();
  return (
    <nav className="login-options" aria-label={t(language)}>
      {langs.map((name) => (
        <button
          key={name}
          type="button"
          lang={name}
          className="muted login-lang"
          aria-current={name === lang || undefined}
          onClick={() => switchLang(name)}
        >
          {names[name]}
        </button>
      ))}
      <button type="button" className="icon-button" title={label} aria-label={label} onClick={next}>
        <ThemeIcon choice={choice} />
      </button>
    </nav>
  );
};
