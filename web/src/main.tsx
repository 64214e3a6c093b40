import { lang } from './kit/lang.ts';
import { fetchPasswordRule } from './kit/password-rule.ts';
import { startTheme } from './ui/theme.ts';
import './ui/global.css';
import './app/app.css';
import { boot } from './app/boot.tsx';

document.documentElement.lang = lang === 'zh' ? 'zh-CN' : 'en';
startTheme();
void fetchPasswordRule();
void boot();
