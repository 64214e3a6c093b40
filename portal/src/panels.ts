import { allPackages, cardForm } from './blocks.ts';
import type { PanelView } from './view.ts';
import { captchaField, formTo, input, lines, type PageContext, submit, t } from './write.ts';

const required = (max: number) => ` required maxlength="${max}"`;

const select = (form: string, name: string, label: string, options: readonly (readonly [string, string])[]) =>
  `<div class="field"><label for="${form}-${name}">${label}</label><select id="${form}-${name}" name="${name}">${options
    .map(([id, text]) => `<option value="${id}"{{#chosen.${name}.${id}}} selected{{/chosen.${name}.${id}}}>${text}</option>`)
    .join('')}</select>{{#error.${name}}}<p class="wrong">{{error.${name}}}</p>{{/error.${name}}}</div>`;

const register = (context: PageContext) => {
  const form = 'register';
  return formTo(
    'register',
    `{{#ask.prefix}}<p class="hint">${t(context, 'prefixHint')}: {{ask.prefix}}</p>{{/ask.prefix}}${input({ form, name: 'account', label: t(context, 'account'), auto: 'username', more: required(32) })}${input({ form, name: 'password', label: t(context, 'password'), type: 'password', auto: 'new-password', more: required(32) })}${input({ form, name: 'name', label: t(context, 'name'), auto: 'name', more: required(20) })}${input({ form, name: 'phone', label: t(context, 'phone'), type: 'tel', auto: 'tel', more: required(20) })}{{#ask.realname}}${select(
      form,
      'id_type',
      t(context, 'idType'),
      [
        ['id_card', t(context, 'idCard')],
        ['passport', t(context, 'passport')],
        ['seafarer', t(context, 'seaman')],
      ],
    )}${input({ form, name: 'id_number', label: t(context, 'idNumber'), auto: 'off', more: required(20) })}{{/ask.realname}}{{#ask.photo}}${input({ form, name: 'photo', label: t(context, 'photo'), type: 'file', more: ' accept="image/jpeg,image/png"' })}{{/ask.photo}}${captchaField(context, form)}{{#ask.sms}}${input({ form, name: 'smscode', label: t(context, 'smsCode'), auto: 'one-time-code', more: ' maxlength="6" inputmode="numeric"' })}${submit(t(context, 'sendCode'), ' data-quiet formaction="{{here}}register/code" formnovalidate')}{{/ask.sms}}${submit(t(context, 'register'))}`,
    ' enctype="multipart/form-data"',
  );
};

const buy = (context: PageContext) =>
  `{{#order}}<dl><div><dt>${t(context, 'packages')}</dt><dd>{{order.name}}</dd></div><div><dt>${t(context, 'price')}</dt><dd class="price">{{order.amount}}</dd></div></dl><h2>${t(context, 'channel')}</h2>{{#channels}}${formTo(
    'buy',
    `<input type="hidden" name="package" value="{{order.no}}"><input type="hidden" name="channel" value="{{id}}"><input type="hidden" name="no" value="{{order.newNo}}">{{#part}}<input type="hidden" name="balance" value="1">{{/part}}${submit('{{name}}')}`,
  )}{{/channels}}{{^channels}}<p class="alert">${t(context, 'noChannel')}</p>{{/channels}}{{/order}}`;

const password = (context: PageContext) => {
  const form = 'password';
  return formTo(
    'password',
    input({
      form,
      name: 'old_password',
      label: t(context, 'oldPassword'),
      type: 'password',
      auto: 'current-password',
      more: required(64),
    }) +
      input({ form, name: 'password', label: t(context, 'newPassword'), type: 'password', auto: 'new-password', more: required(32) }) +
      input({
        form,
        name: 'password_again',
        label: t(context, 'passwordAgain'),
        type: 'password',
        auto: 'new-password',
        more: required(32),
      }) +
      submit(t(context, 'save')),
  );
};

const devices = (context: PageContext) =>
  `{{#sessions}}<div class="offer"><div><strong>{{mac}}</strong>{{#isThis}} <span class="tag">${t(context, 'thisDevice')}</span>{{/isThis}}<p>{{ip}} · ${t(context, 'since')} {{since}}</p></div>${formTo('logout', `<input type="hidden" name="session" value="{{id}}">${submit(t(context, 'logoutOther'), ` data-quiet aria-label="${t(context, 'logoutOther')} {{mac}}"`)}`)}</div>{{/sessions}}{{^sessions}}<p>${t(context, 'noDevices')}</p>{{/sessions}}`;

const notices = (context: PageContext) =>
  `{{#notices}}<article><h2>{{title}}</h2><p class="hint">{{at}}</p><p class="pre">{{content}}</p></article>{{/notices}}{{^notices}}<p>${t(context, 'noNotices')}</p>{{/notices}}`;

const feedback = (context: PageContext) => {
  const form = 'feedback';
  const option = (...names: readonly ('network' | 'device' | 'portal' | 'suggestion' | 'general' | 'middle' | 'urgent')[]) =>
    names.map((name) => [name, t(context, name)] as const);
  return `${formTo(
    'feedback',
    `${select(form, 'type', t(context, 'feedbackType'), option('network', 'device', 'portal', 'suggestion'))}${select(form, 'level', t(context, 'feedbackLevel'), option('general', 'middle', 'urgent'))}<div class="field"><label for="feedback-content">${t(context, 'content')}</label><textarea id="feedback-content" name="content" rows="5" required maxlength="512"{{#error.content}} aria-invalid="true"{{/error.content}}>{{value.content}}</textarea>{{#error.content}}<p class="wrong">{{error.content}}</p>{{/error.content}}</div>${input({ form, name: 'phone', label: t(context, 'phone'), type: 'tel', auto: 'tel', more: ' maxlength="32"' })}${input({ form, name: 'file', label: t(context, 'files'), type: 'file', more: ' accept="image/jpeg,image/png" multiple' })}${captchaField(context, form)}${submit(t(context, 'send'))}`,
    ' enctype="multipart/form-data"',
  )}{{#answers}}<article><p class="hint">${t(context, 'myFeedback')} {{at}}</p><p class="pre">{{content}}</p>{{#answer}}<p class="answer"><strong>${t(context, 'answer')}</strong> <span class="hint">{{answered}}</span><br>{{answer}}</p>{{/answer}}</article>{{/answers}}`;
};

const agreement = (context: PageContext) => {
  const block = context.doc.blocks.find((one) => one.kind === 'agreement');
  return block?.kind === 'agreement' ? `<p>${lines(context, block.text)}</p>` : '';
};

/** The browser goes to the router by itself; the button is for those that do not. */
const toRouter = (context: PageContext) =>
  `{{#router}}{{#router.link}}<p><a class="button" href="{{router.link}}" rel="noopener">{{#router.isLogoff}}${t(context, 'next')}{{/router.isLogoff}}{{^router.isLogoff}}${t(context, 'goOnline')}{{/router.isLogoff}}</a></p>{{/router.link}}{{#router.action}}<form method="post" action="{{router.action}}" data-auto><input type="hidden" name="username" value="{{router.username}}"><input type="hidden" name="password" value="{{router.password}}">{{#router.dst}}<input type="hidden" name="dst" value="{{router.dst}}">{{/router.dst}}${submit(t(context, 'goOnline'))}</form>{{/router.action}}{{/router}}`;

const titles = {
  register: 'register',
  packages: 'allPackages',
  buy: 'confirmBuy',
  card: 'card',
  password: 'changePassword',
  devices: 'devices',
  notices: 'notices',
  feedback: 'feedback',
  agreement: 'agreement',
} as const;

const bodies: Readonly<Record<PanelView, (context: PageContext) => string>> = {
  register,
  packages: allPackages,
  buy,
  card: cardForm,
  password,
  devices,
  notices,
  feedback,
  agreement,
  message: toRouter,
};

export const panelHtml = (view: PanelView, context: PageContext): string =>
  `<section class="block card">${view === 'message' ? '' : `<h1>${t(context, titles[view])}</h1>`}${bodies[view](context)}<p class="more"><a href="{{here}}">${t(context, 'back')}</a></p></section>`;

/** The order that a subscriber pays. The provider is reachable before the login by the temporary release of the gateway. */
export const payHtml = (context: PageContext): string =>
  `{{#order}}<section class="block card center pay"{{#order.refresh}} data-refresh="{{order.refresh}}" data-state="{{here}}pay/{{order.no}}"{{/order.refresh}}><h1>${t(context, 'paying')}</h1><dl><div><dt>${t(context, 'order')}</dt><dd>{{order.no}}</dd></div><div><dt>${t(context, 'packages')}</dt><dd>{{order.name}}</dd></div>{{#order.part}}<div><dt>${t(context, 'fromBalance')}</dt><dd>{{order.part}}</dd></div>{{/order.part}}<div><dt>${t(context, 'amount')}</dt><dd class="price">{{order.amount}}</dd></div></dl>{{#order.qr}}<p>${t(context, 'scan')}</p><img class="qr" src="{{order.qr}}" width="200" height="200" alt="${t(context, 'scan')}">{{/order.qr}}{{#order.link}}<p><a class="button" href="{{order.link}}" rel="noopener">${t(context, 'openPay')}</a></p>{{/order.link}}<p class="more"><a href="{{here}}pay/{{order.no}}">${t(context, 'paid')}</a></p>${formTo('pay/{{order.no}}/cancel', submit(t(context, 'cancelPay'), ' data-quiet'))}</section>{{/order}}`;
