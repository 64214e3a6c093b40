import { lang } from './kit/chrome/lang.ts';
import { fetchPasswordRule } from './kit/form/password-rule.ts';
import { startTheme } from './ui/theme/theme.ts';
import './ui/styles/global.css';
import './ui/styles/notice.css';
import './ui/styles/tag.css';
import './ui/styles/menu.css';
import './ui/styles/elements.css';
import './ui/styles/touch.css';
import './app/app.css';
// Styles of most pages are in the first stylesheet, which saves requests.
import './ui/native/note-lines.css';
import './ui/styles/plain-form.css';
import './ui/styles/drawer.css';
import './ui/styles/table.css';
import './ui/styles/page.css';
import './ui/styles/detail.css';
import './ui/styles/cards.css';
import './ui/styles/filter.css';
import './ui/styles/pages.css';
import { boot } from './app/boot.tsx';

document.documentElement.lang = lang === 'zh' ? 'zh-CN' : 'en';
startTheme();
void fetchPasswordRule();
void boot();
