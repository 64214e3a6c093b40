import { inkOn, readableOn, shade } from './color.ts';
import type { Theme } from './document.ts';

const base = `
*{box-sizing:border-box}
html{font:var(--size)/1.5 system-ui,-apple-system,"PingFang SC","Microsoft YaHei","Noto Sans SC",sans-serif;-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;background:var(--page);color:var(--ink)}
main,.block{width:100%}
main{max-width:30rem;margin:0 auto;padding:0 1rem 2rem;display:flex;flex-direction:column;gap:1rem}
h1,h2{font-size:1.125rem;line-height:1.3;margin:0 0 .75rem}
p{margin:0 0 .5rem}
p:last-child{margin-bottom:0}
a{color:var(--link)}
img{max-width:100%;height:auto;border:0}
ul{list-style:none;margin:0;padding:0}
.center{text-align:center}
.card{background:var(--surface);color:var(--surface-ink);border-radius:var(--radius);padding:1.25rem;box-shadow:0 1px 3px rgb(0 0 0/.12)}
.accent{background:var(--primary);color:var(--primary-ink);border-radius:var(--radius);padding:1.25rem}
.accent a{color:inherit}
.card a:not(.button){color:var(--surface-link)}
header.block{display:flex;align-items:center;gap:.75rem;padding:1rem 0 0}
header.card,header.accent{padding:1rem;margin-top:1rem}
.logo{max-width:190px;max-height:60px;width:auto}
.name{flex:1;font-weight:600;margin:0;overflow-wrap:anywhere;text-align:start}
.lang{min-height:2.75rem;display:inline-flex;align-items:center;padding:0 .25rem}
.lead{font-size:1.25rem;overflow-wrap:anywhere}
.field{margin-bottom:.875rem}
label{display:block;margin-bottom:.25rem;font-size:.9375rem}
input,select,textarea{width:100%;min-height:2.75rem;padding:.5rem .75rem;font:inherit;color:var(--surface-ink);background:var(--field);border:1px solid var(--line);border-radius:min(var(--radius),8px)}
input[aria-invalid],textarea[aria-invalid]{border-color:var(--wrong)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.button{display:inline-flex;align-items:center;justify-content:center;min-height:2.75rem;width:100%;padding:.5rem 1.25rem;font:inherit;font-weight:600;text-decoration:none;cursor:pointer;border:1px solid transparent;border-radius:min(var(--radius),8px);background:var(--primary);color:var(--primary-ink)}
.button[data-quiet]{background:transparent;color:var(--surface-link);border-color:currentColor}
.field+.button,.button+.button,form+form{margin-top:.5rem}
.wrong{color:var(--wrong);font-size:.9375rem;margin:.25rem 0 0}
.message,.alert{padding:.75rem 1rem;border-radius:min(var(--radius),8px);background:var(--surface);color:var(--surface-ink);border-inline-start:4px solid var(--primary)}
.message.bad,.alert{border-color:var(--wrong)}
.more{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin-top:.75rem}
.center .more{justify-content:center}
.more a{min-height:2.75rem;display:inline-flex;align-items:center}
.hint{font-size:.875rem;color:var(--soft)}
.card .hint{color:var(--surface-soft)}
.accent .hint{color:inherit}
summary{min-height:2.75rem;display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem;cursor:pointer}
details+details,article+article,.offer+.offer{border-top:1px solid var(--line)}
.pre{white-space:pre-wrap;overflow-wrap:anywhere}
article{padding:.75rem 0}
.answer{border-inline-start:3px solid var(--primary);padding-inline-start:.75rem}
.offer{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;padding:.75rem 0}
.offer>div{flex:1 1 6rem;min-width:0;overflow-wrap:anywhere}
.offer p{margin:0}
.offer .button{width:auto;min-width:6rem}
.queue{margin:0;padding-inline-start:1.25rem}
.queue li{padding:.25rem 0}
.queue li::marker,.queue small{color:var(--soft)}
.card .queue li::marker,.card .queue small{color:var(--surface-soft)}
.accent .queue li::marker,.accent .queue small{color:inherit}
.queue span{display:inline-block;width:calc(100% - 7rem);vertical-align:top;overflow-wrap:anywhere}
.queue small{display:block}
.queue strong{display:inline-block;width:7rem;text-align:end;vertical-align:top}
.offer+h2{margin-top:1.25rem}
.own a{min-height:2.75rem;display:inline-flex;align-items:center}
.own{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1rem}
.own form{margin-inline-start:auto}
.own .button{width:auto}
dl:empty{display:none}
.status{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem;margin:0}
.tag.on{background:var(--primary);color:var(--primary-ink);border-color:transparent}
.price{font-weight:700;font-size:1.125rem;white-space:nowrap}
.big{font-size:1.75rem;font-weight:700}
.big small{font-size:1rem;font-weight:400}
progress{width:100%;height:.75rem;accent-color:var(--primary)}
dl{margin:.75rem 0}
dl div{display:flex;justify-content:space-between;gap:1rem;padding:.25rem 0}
dd{margin:0;text-align:end;overflow-wrap:anywhere}
.tag{display:inline-block;white-space:nowrap;font-size:.8125rem;border:1px solid currentColor;border-radius:4px;padding:0 .25rem}
.slides{display:flex;gap:.5rem;overflow-x:auto;scroll-snap-type:x mandatory}
.slides li{flex:0 0 100%;scroll-snap-align:start}
.slides img,.grid img{display:block;width:100%;border-radius:var(--radius)}
.grid{display:grid;gap:.5rem}
.grid-2{grid-template-columns:1fr 1fr}
.grid-3{grid-template-columns:1fr 1fr 1fr}
.qr{width:200px;height:200px;background:#fff;padding:8px;border-radius:4px}
@media(min-width:48rem){main{max-width:34rem;padding-top:1.5rem}}
@media(min-width:64rem){main{max-width:40rem}}
@media(prefers-reduced-motion:no-preference){.slides{scroll-behavior:smooth}}
`;

const sizes = { small: '15px', normal: '16px', large: '18px' } as const;

const colorsOf = ({ primary, background }: Theme, isDark: boolean) => {
  // In the dark scheme, a dark background keeps its hue; a light one is replaced with a default.
  const darkPage = inkOn(background) === '#ffffff' ? shade(background, -0.4) : '#11151e';
  const page = isDark ? darkPage : background;
  const surface = isDark ? '#1d2330' : '#ffffff';
  const ink = inkOn(page);
  const surfaceInk = isDark ? '#f2f4f8' : '#1b2230';
  return {
    page,
    ink,
    soft: readableOn(ink === '#ffffff' ? '#b6bdc9' : '#5a6372', page),
    link: readableOn(primary, page),
    surface,
    'surface-ink': surfaceInk,
    'surface-soft': readableOn(isDark ? '#a3acbb' : '#5a6372', surface),
    'surface-link': readableOn(primary, surface),
    field: isDark ? '#141924' : '#ffffff',
    line: isDark ? '#566074' : '#868f9e',
    focus: readableOn(primary, page),
    wrong: readableOn('#c4271b', surface),
    primary,
    'primary-ink': inkOn(primary),
  };
};

const rootRule = (values: Readonly<Record<string, string>>) =>
  `:root{${Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')}}`;

/** Style sheet of a document: its theme, the sheet of the renderer, and that of a template package, which was checked when uploaded. */
export const styleOf = (theme: Theme, packageCss = ''): string => {
  const fixed = { radius: `${theme.radius}px`, size: sizes[theme.size] };
  const dark = rootRule(colorsOf(theme, true));
  const themed =
    theme.scheme === 'auto'
      ? `${rootRule({ ...fixed, ...colorsOf(theme, false) })}@media(prefers-color-scheme:dark){${dark}}`
      : rootRule({ ...fixed, ...colorsOf(theme, theme.scheme === 'dark') });
  const picture = theme.image
    ? `body{background:var(--page) url(../img/${theme.image.sha256}.${theme.image.ext}) center/cover fixed no-repeat}`
    : '';
  return `${themed}${base.replace(/\n/g, '')}${picture}${packageCss}`;
};
