import { langs } from '@farlink/contract/kit/text.ts';
import { describe, expect, test } from 'vitest';
import { builtInCodes, builtInDocument } from './built-in.ts';
import { type PortalDocument, type PortalImage, parseDocument } from './document.ts';
import { type FormFields, formFieldsOf, withFormFields } from './form-fields.ts';

const image = (digit: string): PortalImage => ({ sha256: digit.repeat(64), ext: 'png', width: 190, height: 60 });
const bare: PortalDocument = {
  v: 1,
  title: ['', ''],
  theme: { primary: '#000000', background: '#ffffff', scheme: 'light', radius: 0, size: 'normal' },
  blocks: [],
};
const documents = [
  ...builtInCodes.flatMap((code) => (['free', 'charged'] as const).map((billing) => builtInDocument(code, billing, ['东', 'East']))),
  bare,
];
const filled: FormFields = {
  title: '船员网',
  welcome: '欢迎\n登船',
  banner: [image('1'), image('2')],
  background: image('3'),
  logo: image('4'),
  link: 'https://example.com/',
  agreement: '请合法使用网络',
};

describe('the form of a portal', () => {
  test.each(documents.flatMap((doc) => langs.map((lang) => [lang, doc] as const)))(
    'saved without a change keeps the document (%s)',
    (lang, doc) => {
      expect(withFormFields(doc, formFieldsOf(doc, lang), lang)).toEqual(doc);
    },
  );

  test.each(documents.flatMap((doc) => langs.map((lang) => [lang, doc] as const)))('shows the saved values (%s)', (lang, doc) => {
    const saved = withFormFields(doc, filled, lang);
    expect(formFieldsOf(saved, lang)).toEqual(filled);
    expect(parseDocument(saved)).toEqual({ value: saved });
  });

  test('changes one language and keeps the other', () => {
    const saved = withFormFields(withFormFields(bare, { welcome: '欢迎', title: '网' }, 'zh'), { welcome: 'Welcome', title: 'Net' }, 'en');
    expect([formFieldsOf(saved, 'zh').welcome, formFieldsOf(saved, 'en').welcome, saved.title]).toEqual(['欢迎', 'Welcome', ['网', 'Net']]);
    expect(saved.blocks).toHaveLength(1);
  });

  test('keeps the text and the link of a banner image that is not removed', () => {
    const doc = withFormFields(bare, { banner: [image('1')] }, 'zh');
    const described: PortalDocument = {
      ...doc,
      blocks: doc.blocks.map((block) =>
        block.kind === 'banners' ? { ...block, images: [{ image: image('1'), alt: ['船', 'Ship'], link: 'https://a.example/' }] } : block,
      ),
    };
    expect(withFormFields(described, { banner: [image('2'), image('1')] }, 'zh').blocks).toMatchObject([
      { images: [{ image: image('2') }, { image: image('1'), alt: ['船', 'Ship'], link: 'https://a.example/' }] },
    ]);
  });

  test('adds missing blocks below the header and above the footer', () => {
    const doc: PortalDocument = {
      ...bare,
      blocks: [
        { id: 'a', kind: 'header', text: ['', ''] },
        { id: 'b', kind: 'login' },
        { id: 'c', kind: 'footer', text: ['', ''] },
      ],
    };
    expect(withFormFields(doc, filled, 'zh').blocks.map(({ kind }) => kind)).toEqual([
      'header',
      'banners',
      'welcome',
      'login',
      'agreement',
      'footer',
    ]);
  });

  test('removes images and the link, and adds https:// to a bare host name', () => {
    const doc = withFormFields(bare, filled, 'zh');
    const cleared = withFormFields(doc, { background: null, logo: null, link: '', banner: [] }, 'zh');
    expect(formFieldsOf(cleared, 'zh')).toMatchObject({ background: null, logo: null, link: '', banner: [] });
    expect(withFormFields(bare, { link: 'www.example.com' }, 'zh').link).toBe('https://www.example.com');
  });
});
