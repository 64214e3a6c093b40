import { gzipSync } from 'node:zlib';
import { langs } from '@farlink/contract/kit/text.ts';
import { describe, expect, test } from 'vitest';
import { contrast } from './color.ts';
import { defaultDocument } from './default-document.ts';
import { blockKinds, type PortalDocument, parseDocument } from './document.ts';
import { siteFiles, siteOf } from './site.ts';
import { views } from './view.ts';

const doc = defaultDocument('charged', ['远联海员网', 'Farlink Crew']);
const data = {
  root: '/',
  here: '/zh/',
  other: '/en/',
  account: '13800000000',
  packages: [{ id: '1', name: 'A', price: '¥1', detail: '1 GB' }],
};

const hostile: PortalDocument = {
  ...doc,
  title: ['</title><script>alert(1)</script>', '{{account}}'],
  blocks: [
    { id: 'a', kind: 'welcome', text: ['<img src=x onerror=alert(1)>', '"\'><svg onload=alert(1)>'] },
    { id: 'b', kind: 'footer', text: ['{{#packages}}x', '{{/packages}}'], link: 'https://example.com/"onmouseover=alert(1)' },
  ],
};

describe('a portal', () => {
  test.each(views.flatMap((view) => langs.map((lang) => [view, lang] as const)))('renders %s in %s', (view, lang) => {
    const page = siteOf(doc).page(view, lang, data);
    expect(page).toMatch(/^<!doctype html><html lang="(zh-CN|en)">/);
    expect(page).not.toMatch(/\{\{|undefined|\[object|<script>|style=| on\w+=|javascript:/);
  });

  test('gives the same bytes for the same document', () => {
    expect(siteFiles(siteOf(doc))).toEqual(siteFiles(siteOf(structuredClone(doc))));
  });

  test('sends a first page of at most 30 KB', () => {
    const site = siteOf(doc);
    const bytes = [site.page('out', 'zh', data), ...[...site.assets.values()].map(({ text }) => text)].map((text) => gzipSync(text).length);
    expect(bytes.reduce((sum, n) => sum + n, 0)).toBeLessThan(30_000);
  });

  test('escapes the texts of an author', () => {
    for (const lang of langs) {
      const page = siteOf(hostile).page('out', lang, data);
      expect(page).not.toMatch(/<script>|<svg|<img src=x| onerror="| onmouseover="/);
      expect(page).not.toContain('13800000000');
    }
  });

  test.each(['#ffff00', '#000000', '#ffffff', '#777777', '#1668dc', '#ff8800'])(
    'has a text contrast of at least 4.5 with the color %s',
    (primary) => {
      for (const scheme of ['light', 'dark'] as const) {
        const css = [...siteOf({ ...doc, theme: { ...doc.theme, primary, background: primary, scheme } }).assets.values()][0]?.text ?? '';
        const value = (name: string) => new RegExp(`--${name}:(#[0-9a-f]{6})`).exec(css)?.[1] ?? '';
        for (const [ink, on] of [
          ['ink', 'page'],
          ['soft', 'page'],
          ['link', 'page'],
          ['surface-ink', 'surface'],
          ['surface-soft', 'surface'],
          ['surface-link', 'surface'],
          ['wrong', 'surface'],
          ['primary-ink', 'primary'],
        ] as const)
          expect(contrast(value(ink), value(on)), `${ink} on ${on} ${scheme}`).toBeGreaterThanOrEqual(4.5);
      }
    },
  );
});

describe('a document', () => {
  test('is parsed unchanged', () => {
    expect(parseDocument(JSON.parse(JSON.stringify(doc)))).toEqual({ value: doc });
  });

  test.each([
    ['an unknown block', { ...doc, blocks: [{ id: 'x', kind: 'script', text: ['', ''] }] }, /kind/],
    ['two blocks with one id', { ...doc, blocks: [doc.blocks[1], doc.blocks[1]] }, /each id once/],
    [
      'two login blocks',
      {
        ...doc,
        blocks: [
          { id: 'a', kind: 'login' },
          { id: 'b', kind: 'login' },
        ],
      },
      /login at most once/,
    ],
    ['a script address', { ...doc, link: 'javascript:alert(1)' }, /link/],
    ['a color followed by CSS', { ...doc, theme: { ...doc.theme, primary: '#fff;}*{' } }, /primary/],
    [
      'an image without hash',
      { ...doc, blocks: [{ id: 'a', kind: 'header', text: ['', ''], logo: { sha256: '../x', ext: 'png', width: 1, height: 1 } }] },
      /sha256/,
    ],
  ])('with %s is refused', (_, raw, reason) => {
    expect(parseDocument(raw)).toEqual({ reason: expect.stringMatching(reason) });
  });

  test('has 14 kinds of blocks', () => {
    expect(new Set(blockKinds).size).toBe(14);
  });
});
