import type { Lang } from '@farlink/contract/kit/text.ts';
import { compile, type Data } from '@farlink/portal/template.ts';
import type { PortalData, View } from '@farlink/portal/view.ts';
import type { Bundle } from './read-bundle.ts';

const mimes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  jpg: 'image/jpeg',
};

export interface StaticFile {
  readonly mime: string;
  readonly content: Buffer;
}

/** Pages and files of an unpacked bundle. Templates are parsed at first use. */
export class PortalPages {
  readonly #bundle: Bundle;
  readonly #pages = new Map<string, (data: Data) => string>();

  constructor(bundle: Bundle) {
    this.#bundle = bundle;
  }

  get rev(): number {
    return this.#bundle.manifest.rev;
  }

  #template(view: View, lang: Lang): string {
    const file = this.#bundle.files.get(`page/${view}.${lang}.html`);
    if (!file) throw new Error(`page ${view}.${lang} is missing`);
    return file.toString();
  }

  page(view: View, lang: Lang, data: PortalData): string {
    const key = `${view}.${lang}`;
    const fillPage = this.#pages.get(key) ?? compile(this.#template(view, lang));
    this.#pages.set(key, fillPage);
    return fillPage(data);
  }

  /** Title of the page without access. A gateway expects it when it probes its own page. */
  title(lang: Lang): string {
    return titleOf(this.#template('out', lang));
  }

  /** A file below `asset/` or `img/`. */
  file(path: string): StaticFile | undefined {
    const content = /^(asset|img)\//.test(path) ? this.#bundle.files.get(path) : undefined;
    const mime = mimes[path.split('.').at(-1) ?? ''];
    return content && mime !== undefined ? { mime, content } : undefined;
  }
}

export const titleOf = (html: string): string => /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? '';
