import { anchorOf } from './anchor.ts';
import type { Block, BlockKind, BlockOf, PortalImage } from './document.ts';
import { escapeHtml } from './template.ts';
import { authored, captchaField, formTo, input, lines, type PageContext, submit, t } from './write.ts';

/** HTML of a block in the state of the page; empty if the block does not show in this state. */
type Writer<K extends BlockKind> = (block: BlockOf<K>, context: PageContext) => string;

const src = ({ sha256, ext }: PortalImage) => `{{root}}img/${sha256}.${ext}`;

const linked = (link: string | undefined, body: string) => (link ? `<a href="${escapeHtml(link)}" rel="noopener">${body}</a>` : body);

const pictures = (images: BlockOf<'banners'>['images'], context: PageContext) =>
  images.map(({ image, alt, link }) =>
    linked(link, `<img src="${src(image)}" width="${image.width}" height="${image.height}" alt="${authored(context, alt)}">`),
  );

const header: Writer<'header'> = ({ logo, text }, context) =>
  `${logo ? `<img class="logo" src="${src(logo)}" width="${logo.width}" height="${logo.height}" alt="">` : '{{#logo}}<img class="logo" src="{{root}}{{logo}}" alt="">{{/logo}}'}<p class="name">${authored(context, text)}</p><a class="lang" href="{{other}}" lang="${context.lang === 'zh' ? 'en' : 'zh-CN'}">${t(context, 'language')}</a>`;

const banners: Writer<'banners'> = ({ images }, context) =>
  images.length === 0
    ? ''
    : `<ul class="slides"${images.length > 1 ? ` tabindex="0" aria-label="${t(context, 'pictures')}"` : ''}>${pictures(images, context)
        .map((one) => `<li>${one}</li>`)
        .join('')}</ul>`;

const adverts: Writer<'adverts'> = ({ images, columns = 2 }, context) =>
  images.length === 0
    ? ''
    : `<ul class="grid grid-${columns}">${pictures(images, context)
        .map((one) => `<li>${one}</li>`)
        .join('')}</ul>`;

const welcome: Writer<'welcome'> = ({ text }, context) => (text[0] || text[1] ? `<p class="lead">${lines(context, text)}</p>` : '');

/** The link to the registration, or why there is none. */
const registration = (context: PageContext) =>
  `{{#canRegister}}<p class="more"><a href="{{here}}register">${t(context, 'register')}</a></p>{{/canRegister}}` +
  `{{^canRegister}}<p class="more">{{#needsNetwork}}${t(context, 'registerOnNetwork')}{{/needsNetwork}}{{^needsNetwork}}${t(context, 'registerClosed')}{{/needsNetwork}}</p>{{/canRegister}}`;

const loginForm = ({ register }: BlockOf<'login'>, context: PageContext) =>
  formTo(
    'login',
    input({
      form: 'login',
      name: 'account',
      label: t(context, 'account'),
      auto: 'username',
      more: ' required maxlength="64" autocapitalize="none"',
    }) +
      input({
        form: 'login',
        name: 'password',
        label: t(context, 'password'),
        type: 'password',
        auto: 'current-password',
        more: ' required maxlength="64"',
      }) +
      captchaField(context, 'login') +
      submit(t(context, 'login')),
  ) + (register ? registration(context) : '');

const signedIn = (context: PageContext) =>
  `<div class="own"><a href="{{here}}devices">${t(context, 'devices')}</a><a href="{{here}}password">${t(context, 'changePassword')}</a>${formTo('logout', submit(t(context, 'logout'), ' data-quiet'))}</div>`;

const login: Writer<'login'> = (block, context) => {
  if (context.view === 'out') return loginForm(block, context);
  return context.view === 'offline'
    ? `{{#account}}${signedIn(context)}{{/account}}{{^account}}${loginForm(block, context)}{{/account}}`
    : signedIn(context);
};

/** A button that switches the automatic renewal to the other state. */
const renewal = (context: PageContext) => {
  const switchTo = (on: '1' | '0', label: string) =>
    formTo('renewal', `<input type="hidden" name="on" value="${on}">${submit(label, ' data-quiet')}`);
  return `{{#renewal}}<dl><div><dt>${t(context, 'renewal')}</dt><dd>{{#renewal.isOn}}${t(context, 'isOn')}{{/renewal.isOn}}{{^renewal.isOn}}${t(context, 'isOff')}{{/renewal.isOn}}</dd></div></dl>{{#renewal.isOn}}${switchTo('0', t(context, 'turnOff'))}{{/renewal.isOn}}{{^renewal.isOn}}${switchTo('1', t(context, 'turnOn'))}{{/renewal.isOn}}{{/renewal}}`;
};

const quota: Writer<'quota'> = (_, context) => {
  if (context.view === 'out' || context.view === 'offline') return '';
  const line = (name: 'timeLeft' | 'until' | 'balance', key: string) =>
    `{{#quota.${key}}}<div><dt>${t(context, name)}</dt><dd>{{quota.${key}}}</dd></div>{{/quota.${key}}}`;
  return `{{#quota.blocked}}<p class="alert" role="status">{{quota.blocked}}</p>{{/quota.blocked}}{{#quota.reminder}}<p class="alert" role="status">{{quota.reminder}}</p>{{/quota.reminder}}<p class="big">{{quota.left}}{{#quota.total}} <small>${t(context, 'of')} {{quota.total}}</small>{{/quota.total}}</p>{{#quota.percent}}<progress max="100" value="{{quota.percent}}" aria-label="${t(context, 'left')}">{{quota.percent}}%</progress>{{/quota.percent}}{{#quota.several}}<p class="hint">${t(context, 'inOrder')}</p><ol class="queue">{{#packages}}<li><span>{{name}} <small>{{state}}</small></span><strong>{{left}}</strong></li>{{/packages}}</ol>{{/quota.several}}<dl>{{#quota.name}}<div><dt>${t(context, 'packages')}</dt><dd>{{quota.name}}</dd></div>{{/quota.name}}${line('timeLeft', 'time')}${line('until', 'until')}${line('balance', 'balance')}</dl>${renewal(context)}`;
};

export const cardForm = (context: PageContext) =>
  formTo(
    'card',
    input({ form: 'card', name: 'card_no', label: t(context, 'cardNo'), auto: 'off', more: ' required maxlength="32"' }) +
      input({
        form: 'card',
        name: 'card_password',
        label: t(context, 'cardPassword'),
        type: 'password',
        auto: 'off',
        more: ' required maxlength="32"',
      }) +
      captchaField(context, 'card') +
      submit(t(context, context.view === 'out' ? 'cardLogin' : 'redeem'), ' data-quiet'),
  );

const card: Writer<'card'> = (_, context) => (context.view === 'offline' ? '' : cardForm(context));

/** A package with its price, which is the button for a subscriber who is logged in. */
const offer = (context: PageContext) =>
  `<div class="offer"><div><strong>{{name}}</strong><p>{{detail}}</p></div>{{#account}}<a class="button price" href="{{here}}buy?package={{id}}" aria-label="${t(context, 'buy')} {{name}} {{price}}">{{price}}</a>{{/account}}{{^account}}<p class="price">{{price}}</p>{{/account}}</div>`;

const offers = (context: PageContext) =>
  `{{#packages}}${offer(context)}{{/packages}}{{^packages}}<p>${t(context, 'noPackages')}</p>{{/packages}}`;

const loginToBuy = (context: PageContext) => `{{^account}}<p class="hint">${t(context, 'loginToBuy')}</p>{{/account}}`;

/** The page of all packages. */
export const allPackages = (context: PageContext): string =>
  `${offers(context)}{{#hasExtras}}<h2>${t(context, 'extras')}</h2>{{/hasExtras}}{{#extras}}${offer(context)}{{/extras}}${loginToBuy(context)}`;

const packages: Writer<'packages'> = (_, context) =>
  context.view === 'offline'
    ? ''
    : `${offers(context)}${loginToBuy(context)}<p class="more"><a href="{{here}}packages">${t(context, 'allPackages')}</a></p>`;

const notices: Writer<'notices'> = (_, context) =>
  context.view === 'offline'
    ? ''
    : `{{#notices}}<details><summary>{{title}}<span class="hint">{{at}}</span></summary><p class="pre">{{content}}</p></details>{{/notices}}{{^notices}}<p class="hint">${t(context, 'noNotices')}</p>{{/notices}}<p class="more"><a href="{{here}}notices">${t(context, 'allNotices')}</a></p>`;

const agreement: Writer<'agreement'> = (_, context) =>
  `<p class="hint">${context.view === 'out' ? `${t(context, 'agreeing')} ` : ''}<a href="{{here}}agreement">${t(context, 'agreement')}</a></p>`;

const contact: Writer<'contact'> = ({ text, phone, email }, context) =>
  `<p>${lines(context, text)}</p>${phone ? `<p>${t(context, 'call')} <a href="tel:${escapeHtml(phone.replace(/ /g, ''))}">${escapeHtml(phone)}</a></p>` : ''}${email ? `<p>${t(context, 'email')} <a href="mailto:${escapeHtml(email)}">${escapeHtml(email)}</a></p>` : ''}`;

const feedback: Writer<'feedback'> = (_, context) =>
  context.view === 'offline' ? '' : `<p class="more"><a href="{{here}}feedback">${t(context, 'feedback')}</a></p>`;

const footer: Writer<'footer'> = ({ text, link }, context) => {
  const footerHtml = authored(context, text);
  return footerHtml === '' ? '' : `<p class="hint">${linked(link, footerHtml)}</p>`;
};

const fragment: Writer<'fragment'> = ({ name }, { fragments }) => (Object.hasOwn(fragments, name) ? (fragments[name] ?? '') : '');

const headings = {
  quota: 'quota',
  card: 'card',
  packages: 'packages',
  notices: 'notices',
  contact: 'contact',
} as const satisfies Partial<Record<BlockKind, string>>;

const bodyOf = (block: Block, context: PageContext): string => {
  switch (block.kind) {
    case 'header':
      return header(block, context);
    case 'banners':
      return banners(block, context);
    case 'welcome':
      return welcome(block, context);
    case 'login':
      return login(block, context);
    case 'quota':
      return quota(block, context);
    case 'card':
      return card(block, context);
    case 'packages':
      return packages(block, context);
    case 'notices':
      return notices(block, context);
    case 'adverts':
      return adverts(block, context);
    case 'agreement':
      return agreement(block, context);
    case 'contact':
      return contact(block, context);
    case 'feedback':
      return feedback(block, context);
    case 'footer':
      return footer(block, context);
    case 'fragment':
      return fragment(block, context);
  }
};

const isKeyOf = <T extends object>(keys: T, key: PropertyKey): key is keyof T => Object.hasOwn(keys, key);

const headingOf = (block: Block, context: PageContext): string => {
  const own = block.heading && authored(context, block.heading);
  if (own) return `<h2>${own}</h2>`;
  return isKeyOf(headings, block.kind) ? `<h2>${t(context, headings[block.kind])}</h2>` : '';
};

const elements: Partial<Record<BlockKind, string>> = { header: 'header', footer: 'footer' };

export const blockHtml = (block: Block, context: PageContext): string => {
  if (block.hidden) return '';
  const body = bodyOf(block, context);
  if (body === '') return '';
  const element = elements[block.kind] ?? 'section';
  const heading = block.kind === 'header' ? '' : headingOf(block, context);
  const html = `<${element} id="${anchorOf(block.id)}" class="block ${block.kind} ${block.tone ?? 'plain'} ${block.align ?? 'start'}">${heading}${body}</${element}>`;
  // Without quota data, the block and its frame are omitted. Nothing is sold to a job account.
  if (block.kind === 'quota') return `{{#quota}}${html}{{/quota}}`;
  return block.kind === 'card' || block.kind === 'packages' ? `{{^isJob}}${html}{{/isJob}}` : html;
};
