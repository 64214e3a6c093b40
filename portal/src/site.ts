import { createHash } from 'node:crypto';
import { type Lang, langs } from '@farlink/contract/kit/text.ts';
import type { PortalDocument } from './document.ts';
import { pageTemplate } from './page.ts';
import { script } from './script.ts';
import { styleOf } from './style.ts';
import { compile, type Data } from './template.ts';
import { type PortalData, type View, views } from './view.ts';
import type { Fragments } from './write.ts';

/** Content that a template package adds to a document. */
export interface PackageContent {
  readonly css: string;
  readonly fragments: Fragments;
}

export const noPackage: PackageContent = { css: '', fragments: {} };

/** The rendered portal: preview, hosted portal and gateways show these bytes. */
export interface Site {
  /** Files below `asset/`; their names contain the hash of their content. */
  readonly assets: ReadonlyMap<string, { readonly mime: string; readonly text: string }>;
  /** A page with its placeholders. */
  template(view: View, lang: Lang): string;
  /** A page with data. */
  page(view: View, lang: Lang, data: PortalData): string;
}

/** No inline script or style, no other origin, no frame. */
export const portalPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; form-action 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

const named = (text: string, ext: string) => `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.${ext}`;

export const siteOf = (doc: PortalDocument, { css, fragments }: PackageContent = noPackage): Site => {
  const style = styleOf(doc.theme, css);
  const names = { css: named(style, 'css'), js: named(script, 'js') };
  const templates = new Map<string, string>();
  const pages = new Map<string, (data: Data) => string>();
  const template = (view: View, lang: Lang) => {
    const key = `${view}.${lang}`;
    const known = templates.get(key) ?? pageTemplate({ doc, lang, view, fragments }, names);
    templates.set(key, known);
    return known;
  };
  return {
    assets: new Map([
      [names.css, { mime: 'text/css; charset=utf-8', text: style }],
      [names.js, { mime: 'text/javascript; charset=utf-8', text: script }],
    ]),
    template,
    page: (view, lang, data) => {
      const key = `${view}.${lang}`;
      const fillPage = pages.get(key) ?? compile(template(view, lang));
      pages.set(key, fillPage);
      return fillPage(data);
    },
  };
};

/** Name and content of each file of the bundle for gateways, images excluded. */
export const siteFiles = (site: Site): ReadonlyMap<string, string> => {
  const files = new Map<string, string>();
  for (const [name, { text }] of site.assets) files.set(`asset/${name}`, text);
  for (const view of views) for (const lang of langs) files.set(`page/${view}.${lang}.html`, site.template(view, lang));
  return files;
};
