import { escapeHtml } from '@farlink/portal/template.ts';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment, serialize } from 'parse5';
import { describe, expect, it } from 'vitest';
import { checkHtml } from './check-html.ts';
import { PackageFault } from './package-fault.ts';

const image = { sha256: 'a'.repeat(64), ext: 'png', width: 190, height: 60 } as const;
const imageOf = (name: string) => (name === 'images/a.png' ? image : undefined);
const check = (html: string) => checkHtml('fragments/a.html', html, imageOf);
const faultOf = (html: string): string => {
  try {
    return `accepted: ${check(html)}`;
  } catch (error) {
    if (error instanceof PackageFault) return error.message;
    throw error;
  }
};

describe('an HTML fragment of a template package', () => {
  it('is serialized from the parsed tree', () => {
    expect(check('<DIV CLASS=a><p>Hi<br>you</p><!-- x --><img src="images/a.png" width=9 alt="Ship"></DIV>')).toBe(
      `<div class="a"><p>Hi<br>you</p><img src="{{root}}img/${image.sha256}.png" width="190" height="60" alt="Ship"></div>`,
    );
    expect(check('<a href="https://example.com/?a=1&amp;b={{account}}">x</a>')).toBe(
      '<a href="https://example.com/?a=1&amp;b=&#123;&#123;account&#125;&#125;" rel="noopener">x</a>',
    );
  });

  it.each([
    ['<p>a<p>b</div>', '<p>a</p><p>b</p>'],
    ['<div><p>open', '<div><p>open</p></div>'],
    ['<b><i>x</b></i>', '<b><i>x</i></b>'],
    [
      '<a href="https://a.example">a<a href="https://b.example">b</a></a>',
      '<a href="https://a.example" rel="noopener">a</a><a href="https://b.example" rel="noopener">b</a>',
    ],
  ])('is repaired: %s', (html, repaired) => {
    expect(check(html)).toBe(repaired);
  });

  it.each([
    ['<p>a</p>\n<script>alert(1)</script>', 'line 2: <script>'],
    ['<SCRIPT SRC=//evil.example>', '<script>'],
    ['<img src="images/a.png" onerror=alert(1)>', '<img onerror>'],
    ['<p onclick="alert(1)">x</p>', '<p onclick>'],
    ['<a href="javascript:alert(1)">x</a>', 'href='],
    ['<a href="jAvAsCrIpT&colon;alert(1)">x</a>', 'href='],
    ['<a href="java\nscript:alert(1)">x</a>', 'href='],
    ['<a href=" javascript:alert(1)">x</a>', 'href='],
    ['<a href="data:text/html,<script>alert(1)</script>">x</a>', 'href='],
    ['<a href="//evil.example">x</a>', 'href='],
    ['<a href="/login">x</a>', 'href='],
    ['<a href="https://a.example" target="_blank">x</a>', '<a target>'],
    ['<p style="position:fixed">x</p>', '<p style>'],
    ['<form action="https://evil.example"><input name=password></form>', '<form>'],
    ['<input name="password">', '<input>'],
    ['<button formaction="https://evil.example">x</button>', '<button>'],
    ['<iframe src="https://evil.example"></iframe>', '<iframe>'],
    ['<object data="x"></object>', '<object>'],
    ['<embed src="x">', '<embed>'],
    ['<meta http-equiv="refresh" content="0;url=https://evil.example">', '<meta>'],
    ['<link rel="stylesheet" href="https://evil.example/a.css">', '<link>'],
    ['<base href="https://evil.example/">', '<base>'],
    ['<style>*{color:red}</style>', '<style>'],
    ['<svg onload=alert(1)></svg>', '<svg>'],
    ['<svg><script>alert(1)</script></svg>', '<svg>'],
    ['<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>', '<math>'],
    ['<template><script>alert(1)</script></template>', '<template>'],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>', '<noscript>'],
    ['<textarea></textarea>', '<textarea>'],
    ['<video src="x"></video>', '<video>'],
    ['<img src="https://evil.example/a.png">', 'image'],
    ['<img src="data:image/png;base64,AAAA">', 'image'],
    ['<img src="images/../../a.png">', 'image'],
    ['<img src="images/a.png" srcset="https://evil.example/a.png 2x">', '<img srcset>'],
    ['<img alt="x">', 'without src'],
    ['<p id="login">x</p>', '<p id>'],
    ['<p class="a{{account}}">x</p>', 'class='],
    ['<p xlink:href="x">x</p>', '<p xlink:href>'],
    ['<p is="x-y">x</p>', '<p is>'],
    ['<custom-element></custom-element>', '<custom-element>'],
    ['<p title="a" title="b">x</p>', 'syntax error'],
    ['<![CDATA[<script>alert(1)</script>]]>', 'error'],
    [`${'<div>'.repeat(40)}${'</div>'.repeat(40)}`, 'levels of nesting'],
  ])('is refused: %s', (html, reason) => {
    const fault = faultOf(html);
    expect(fault).not.toMatch(/^accepted/);
    expect(fault).toContain(reason);
    expect(fault).toMatch(/^fragments\/a\.html, line \d+: /);
  });

  it('never contains a placeholder of the author, an event handler or a script, for any input', () => {
    const piece = fc.constantFrom(
      ...[
        '<p>',
        '</p>',
        '<div class="a">',
        '</div>',
        '<b',
        '>',
        '"',
        "'",
        '<!--',
        '-->',
        '{{',
        '}}',
        '{{#account}}',
        'on',
        'onload=',
        '=x',
      ],
      ...['<svg>', '<math>', '<script>', '</script>', '<img src="images/a.png">', '<a href="https://a.example">', '</a>', '&lt;', '&#123;'],
      ...['&colon;', 'javascript:', '\0', '\n', '<table>', '<tr><td>', '</table>', '中', '<br>', '<template>', '<style>', '</style>'],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 14 }), (pieces) => {
        let out: string;
        try {
          out = check(pieces.join(''));
        } catch (error) {
          if (error instanceof PackageFault) return;
          throw error;
        }
        expect(out.replaceAll(`{{root}}img/${image.sha256}.png`, '')).not.toMatch(/[{}]/);
        // A browser reads the tree that was written.
        expect(serialize(parseFragment(out))).toBe(serialize(parseFragment(serialize(parseFragment(out)))));
        const tags: string[] = [];
        const visit = (nodes: readonly DefaultTreeAdapterTypes.ChildNode[]) => {
          for (const node of nodes)
            if ('tagName' in node) {
              tags.push(node.tagName, ...node.attrs.map(({ name }) => `@${name}`));
              visit(node.childNodes);
            }
        };
        visit(parseFragment(out).childNodes);
        for (const tag of tags) expect(tag).toMatch(/^(p|div|b|i|a|br|img|table|tbody|tr|td|@(class|href|rel|src|width|height|alt))$/);
      }),
      { numRuns: 3000 },
    );
  });

  it('keeps each text unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        fc.pre(!/[\p{Cc}\p{Cs}\p{Cn}]/u.test(text));
        expect(check(`<p>${escapeHtml(text)}</p>`)).toBe(`<p>${escapeHtml(text)}</p>`);
      }),
    );
  });
});
