import { type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import type { PortalDocument } from './document.ts';
import { escapeHtml } from './template.ts';
import { type TextName, texts } from './texts.ts';
import type { View } from './view.ts';

/** HTML of a template package that a document may show as blocks, by name. */
export interface Fragments {
  readonly [name: string]: string;
}

/** Input of the functions that render a page. */
export interface PageContext {
  readonly doc: PortalDocument;
  readonly lang: Lang;
  readonly view: View;
  readonly fragments: Fragments;
}

/** A text of the renderer. */
export const t = ({ lang }: Pick<PageContext, 'lang'>, name: TextName): string => escapeHtml(say(texts[name], lang));

/** A text of the author; a missing language falls back to the other one. */
export const authored = ({ lang }: Pick<PageContext, 'lang'>, text: Text): string => escapeHtml(say(text, lang) || text[0] || text[1]);

/** The same with line breaks. */
export const lines = (context: Pick<PageContext, 'lang'>, text: Text): string => authored(context, text).replace(/\r?\n/g, '<br>');

interface Control {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'password' | 'tel' | 'file';
  /** Purpose for password managers. */
  readonly auto?: string;
  readonly more?: string;
  readonly form: string;
}

/** A labelled input with its error message. A refused form shows its values again, except passwords. */
export const input = ({ name, label, type = 'text', auto, more = '', form }: Control): string => {
  const id = `${form}-${name}`;
  const value = type === 'text' || type === 'tel' ? ` value="{{value.${name}}}"` : '';
  return `<div class="field"><label for="${id}">${label}</label><input id="${id}" name="${name}" type="${type}"${value}${
    auto ? ` autocomplete="${auto}"` : ''
  }${more}{{#error.${name}}} aria-invalid="true" aria-describedby="${id}-error"{{/error.${name}}}>{{#error.${name}}}<p class="wrong" id="${id}-error">{{error.${name}}}</p>{{/error.${name}}}</div>`;
};

export const captchaField = (context: PageContext, form: string): string =>
  `{{#captcha}}${input({ form, name: 'captcha', label: t(context, 'captcha'), auto: 'off', more: ' required maxlength="8"' })}<input type="hidden" name="captcha_id" value="{{captchaId}}"><p class="captcha"><img src="{{captcha}}" width="120" height="40" alt="${t(context, 'captcha')}"></p>{{/captcha}}`;

export const submit = (label: string, more = ''): string => `<button class="button"${more}>${label}</button>`;

export const formTo = (action: string, body: string, more = ''): string =>
  `<form method="post" action="{{here}}${action}"${more}>${body}</form>`;
