import { blockHtml } from './blocks.ts';
import { panelHtml, payHtml } from './panels.ts';
import { isHomeView } from './view.ts';
import { authored, type PageContext, t } from './write.ts';

/** Names of the files that each page refers to, below `asset/`. */
export interface AssetNames {
  readonly css: string;
  readonly js: string;
}

const message = '{{#message}}<p class="message{{#isError}} bad{{/isError}}" role="status">{{message}}</p>{{/message}}';

const offline = (context: PageContext) =>
  `<section class="block card" role="status"><h1>${t(context, 'offline')}</h1><p>${t(context, 'offlineHint')}</p></section>`;

const statusHtml = (context: PageContext) => {
  if (context.view === 'offline') return offline(context);
  return context.view === 'used' ? `<p class="alert" role="status">${t(context, 'usedUp')}</p>` : '';
};

/** Whether the subscriber is online, and what is left. */
const status = (context: PageContext) =>
  `{{#account}}<p class="status">{{#isOnline}}<span class="tag on">${t(context, 'online')}</span>{{/isOnline}}{{^isOnline}}<span class="tag">${t(context, 'notOnline')}</span>{{/isOnline}}<span>{{account}}</span>{{#quota.left}}<span>${t(context, 'left')} <strong>{{quota.left}}</strong></span>{{/quota.left}}</p>{{#canConnect}}<p><a class="button" href="{{here}}connect">${t(context, 'goOnline')}</a></p>{{/canConnect}}{{/account}}`;

const isEdge = (kind: string) => kind === 'header' || kind === 'footer';

const bodyOf = (context: PageContext) => {
  const { doc, view } = context;
  const head = doc.blocks.filter(({ kind }) => kind === 'header');
  const rest = doc.blocks.filter(({ kind }) => kind !== 'header');
  const write = (blocks: typeof rest) => blocks.map((block) => blockHtml(block, context)).join('');
  const top = `${write(head)}${view === 'out' ? '' : status(context)}${message}`;
  const end = write(rest.filter(({ kind }) => isEdge(kind)));
  // Nothing competes with a payment.
  if (view === 'paying') return `${top}${payHtml(context)}${end}`;
  if (isHomeView(view)) return `${top}${statusHtml(context)}${write(rest)}`;
  return `${top}${panelHtml(view, context)}${end}`;
};

/** A page as a template: the same document, view and language always give the same bytes. */
export const pageTemplate = (context: PageContext, { css, js }: AssetNames): string => {
  const { doc, lang, view } = context;
  const refresh =
    view === 'paying'
      ? '{{#order.refresh}}<noscript><meta http-equiv="refresh" content="{{order.refresh}};url={{here}}pay/{{order.no}}"></noscript>{{/order.refresh}}'
      : view === 'message'
        ? '{{#router.link}}<meta http-equiv="refresh" content="0;url={{router.link}}">{{/router.link}}'
        : '';
  return `<!doctype html><html lang="${lang === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${authored({ lang }, doc.title)}</title>${refresh}<link rel="stylesheet" href="{{root}}asset/${css}"><script src="{{root}}asset/${js}" defer></script></head><body><main>${bodyOf(context)}</main></body></html>`;
};
