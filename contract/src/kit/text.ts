/** Every UI text has both languages, so a missing translation does not compile. */
export type Text = readonly [zh: string, en: string];
export type Lang = 'zh' | 'en';

export const langs = ['zh', 'en'] as const satisfies readonly Lang[];

const fillTemplate = (template: string, args: readonly (string | number)[]) =>
  template.replace(/\{(\d+)\}/g, (whole, i: string) => String(args[Number(i)] ?? whole));

/** Fills `{0}`, `{1}`… in both languages; an argument can be a text. */
export const fill = (text: Text, ...args: (string | number | Text)[]): Text => [
  fillTemplate(
    text[0],
    args.map((a) => (typeof a === 'object' ? a[0] : a)),
  ),
  fillTemplate(
    text[1],
    args.map((a) => (typeof a === 'object' ? a[1] : a)),
  ),
];

export const say = (text: Text, lang: Lang): string => (lang === 'en' ? text[1] : text[0]);

export const isLang = (value: unknown): value is Lang => value === 'zh' || value === 'en';

/** Characters as a reader counts them: one Chinese character or emoji is one. */
export const lengthOf = (value: string) => [...value].length;
