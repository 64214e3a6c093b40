import { isLang, type Lang, langs, type Text } from '@farlink/contract/kit/text.ts';
import { lang, switchLang, t } from '../../kit/chrome/lang.ts';
import { LanguageIcon } from '../../ui/theme/shell-icons.ts';

const language: Text = ['语言', 'Language'];
const names: Record<Lang, string> = { zh: '中文', en: 'English' };

export const LanguageSelect = () => (
  <label className="row muted lang-select">
    <LanguageIcon aria-hidden />
    <select aria-label={t(language)} defaultValue={lang} onChange={(e) => isLang(e.target.value) && switchLang(e.target.value)}>
      {langs.map((name) => (
        <option key={name} value={name} lang={name}>
          {names[name]}
        </option>
      ))}
    </select>
  </label>
);
