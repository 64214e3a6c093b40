import { describe, expect, test } from 'vitest';
import { compile, type Data, escapeHtml } from './template.ts';

const filled = (template: string, data: Data) => compile(template)(data);

describe('a template', () => {
  test('escapes values', () => {
    expect(filled('<b>{{name}}</b>', { name: '<i>"x" & \'y\'' })).toBe('<b>&lt;i&gt;&quot;x&quot; &amp; &#39;y&#39;</b>');
  });

  test('does not interpret placeholders in values', () => {
    expect(filled('{{a}}', { a: '{{b}}', b: 'secret' })).not.toContain('secret');
    expect(filled(escapeHtml('{{b}}'), { b: 'secret' })).not.toContain('secret');
  });

  test('repeats a section for each item, with access to the outer values', () => {
    expect(filled('{{#list}}[{{id}}{{root}}]{{/list}}', { root: '/', list: [{ id: '1' }, { id: '2' }] })).toBe('[1/][2/]');
  });

  test('shows a section once if its value is not empty, otherwise the inverted section', () => {
    const template = '{{#a}}yes{{/a}}{{^a}}no{{/a}}';
    expect(filled(template, { a: true })).toBe('yes');
    expect(filled(template, { a: 'text' })).toBe('yes');
    for (const a of [false, '', [], undefined]) expect(filled(template, { a })).toBe('no');
  });

  test('resolves paths, but no inherited properties', () => {
    expect(filled('{{a.b}}|{{a.constructor}}|{{toString}}|{{a.b.length}}', { a: { b: 'x' } })).toBe('x|||');
  });

  test.each(['{{#a}}', '{{/a}}', '{{#a}}{{/b}}', '{{#a}}{{#b}}{{/a}}{{/b}}'])('refuses the unbalanced %s', (template) => {
    expect(() => compile(template)).toThrow('template');
  });
});
