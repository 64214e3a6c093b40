import { defaultDocument } from '@farlink/portal/default-document.ts';
import { type PortalDocument, parseDocument } from '@farlink/portal/document.ts';
import { describe, expect, test } from 'vitest';
import { copyName } from './copy-name.ts';
import {
  addBlock,
  blockAt,
  duplicateBlock,
  editBlock,
  editFirst,
  editLink,
  editTheme,
  firstOf,
  maxBlocks,
  mayAdd,
  moveBlock,
  removeBlock,
  setHidden,
  withText,
} from './document-edit.ts';
import { faultAt, faultsOf } from './document-faults.ts';
import { textOf } from './document-text.ts';
import { maxSteps, record, redo, startHistory, undo } from './edit-history.ts';
import { missingTexts } from './missing-texts.ts';

const doc = defaultDocument('charged', ['远联', 'Farlink']);
const ids = ({ blocks }: PortalDocument) => blocks.map(({ id }) => id);
const picture = { image: { sha256: 'a'.repeat(64), ext: 'png', width: 1, height: 1 }, alt: ['', ''] } as const;

describe('edits of a portal document', () => {
  test('adds a block after another one, with a free id', () => {
    const first = addBlock(doc, 'banners', 'header');
    const second = first && addBlock(first.doc, 'banners', 'header');
    expect(first?.id).toBe('banners');
    expect(second?.id).toBe('banners-2');
    expect(second && ids(second.doc).slice(0, 3)).toEqual(['header', 'banners-2', 'banners']);
  });

  test('adds a block before the footer unless a position is given', () => {
    const { doc: grown } = addBlock(doc, 'contact') ?? { doc };
    expect(ids(grown).slice(-2)).toEqual(['contact', 'footer']);
  });

  test('adds a single block once, and no more blocks than a document may have', () => {
    expect(addBlock(doc, 'login')).toBeUndefined();
    expect(mayAdd(doc, 'login')).toBe('single');
    let full = doc;
    for (let next = addBlock(full, 'welcome'); next; next = addBlock(full, 'welcome')) full = next.doc;
    expect(full.blocks).toHaveLength(maxBlocks);
    expect(mayAdd(full, 'welcome')).toBe('full');
    expect(parseDocument(full)).toEqual({ value: full });
  });

  test.each([
    ['up', 'quota', 1, ['header', 'quota', 'welcome', 'login']],
    ['down', 'welcome', 3, ['header', 'quota', 'login', 'welcome']],
    ['not above the header', 'quota', 0, ['header', 'quota', 'welcome', 'login']],
  ])('moves a block %s', (_, id, to, expected) => {
    expect(ids(moveBlock(doc, id, to)).slice(0, 4)).toEqual(expected);
  });

  test('does not move the header, or a block to its current position', () => {
    expect(moveBlock(doc, 'header', 4)).toBe(doc);
    expect(moveBlock(doc, 'welcome', 1)).toBe(doc);
    expect(moveBlock(doc, 'footer', 99)).toBe(doc);
  });

  test('duplicates a block unless it may occur only once', () => {
    const copy = duplicateBlock(doc, 'welcome');
    expect(copy && blockAt(copy.doc, copy.id)).toEqual({ ...blockAt(doc, 'welcome'), id: 'welcome-2' });
    expect(copy && ids(copy.doc).slice(1, 3)).toEqual(['welcome', 'welcome-2']);
    expect(duplicateBlock(doc, 'login')).toBeUndefined();
  });

  test('removes, hides and shows a block', () => {
    expect(ids(removeBlock(doc, 'quota'))).not.toContain('quota');
    const hidden = setHidden(doc, 'quota', true);
    expect(blockAt(hidden, 'quota')?.hidden).toBe(true);
    expect(blockAt(setHidden(hidden, 'quota', false), 'quota')?.hidden).toBe(false);
  });

  test('changes a theme, removes its image, and clears the link', () => {
    const themed = editTheme(doc, { primary: '#ff0000', image: picture.image });
    expect(themed.theme).toMatchObject({ primary: '#ff0000', image: picture.image });
    expect(Object.hasOwn(editTheme(themed, { image: undefined }).theme, 'image')).toBe(false);
    const linked = editLink(doc, 'https://example.com');
    expect(linked.link).toBe('https://example.com');
    expect(Object.hasOwn(editLink(linked, ''), 'link')).toBe(false);
  });

  test('a setting of the page adds the block that it needs', () => {
    const grown = editFirst(doc, 'banners', (block) => ({ ...block, images: [picture] }));
    expect(ids(grown).slice(0, 2)).toEqual(['header', 'banners']);
    const again = editFirst(grown, 'banners', (block) => ({ ...block, images: [picture, picture] }));
    expect(firstOf(again, 'banners')?.images).toHaveLength(2);
    expect(again.blocks).toHaveLength(grown.blocks.length);
  });
});

describe('comparison', () => {
  test('treats an empty optional value as a missing one', () => {
    const shown = setHidden(setHidden(doc, 'quota', true), 'quota', false);
    expect(shown).not.toEqual(doc);
    expect(textOf(shown)).toBe(textOf(doc));
    const welcome = firstOf(doc, 'welcome');
    expect(welcome && textOf(editBlock(doc, { ...welcome, heading: ['', ''] }))).toBe(textOf(doc));
    expect(welcome && textOf(editBlock(doc, { ...welcome, heading: ['', 'x'] }))).not.toBe(textOf(doc));
  });

  test('does not depend on the order of properties', () => {
    const { title, ...rest } = doc;
    expect(textOf({ title, ...rest })).toBe(textOf({ ...rest, title }));
  });
});

test('a copy of a portal has a unique name within the length limit', () => {
  const one = copyName('远海客轮上层甲板门户网站页面', 1_000_000_000);
  const other = copyName('远海客轮上层甲板门户网站页面', 1_000_001_000);
  expect([...one].length).toBeLessThanOrEqual(15);
  expect(one.startsWith('远海客轮')).toBe(true);
  expect(one).not.toBe(other);
});

describe('undo', () => {
  const titled = (from: PortalDocument, title: string): PortalDocument => ({ ...from, title: withText(from.title, 'zh', title) });

  test('reverts 60 steps, and redo repeats them', () => {
    let history = startHistory(doc);
    for (let i = 0; i < 60; i++) history = record(history, titled(history.doc, `${i}`), i);
    for (let i = 0; i < 60; i++) history = undo(history);
    expect(history.doc).toBe(doc);
    expect(undo(history)).toBe(history);
    for (let i = 0; i < 60; i++) history = redo(history);
    expect(history.doc.title[0]).toBe('59');
    expect(redo(history)).toBe(history);
  });

  test('keeps a limited number of steps', () => {
    let history = startHistory(doc);
    for (let i = 0; i < maxSteps + 20; i++) history = record(history, titled(history.doc, `${i}`), i);
    expect(history.past).toHaveLength(maxSteps);
  });

  test('treats typing in one field as one step, until a pause or another field', () => {
    let history = startHistory(doc);
    for (const [i, text] of ['a', 'ab', 'abc'].entries()) history = record(history, titled(history.doc, text), i * 100, 'title.zh');
    history = record(history, titled(history.doc, 'abcd'), 9000, 'title.zh');
    history = record(history, editTheme(history.doc, { radius: 0 }), 9100, 'theme.radius');
    expect(history.past).toHaveLength(3);
    history = undo(undo(history));
    expect(history.doc.title[0]).toBe('abc');
    expect(undo(history).doc).toBe(doc);
  });

  test('makes typing after it a new step and clears the redo steps', () => {
    let history = record(startHistory(doc), titled(doc, 'a'), 0, 'title.zh');
    history = record(undo(history), titled(doc, 'b'), 10, 'title.zh');
    expect(history.future).toEqual([]);
    expect(undo(history).doc).toBe(doc);
  });

  test('records nothing for an edit without effect', () => {
    const history = startHistory(doc);
    expect(record(history, moveBlock(doc, 'header', 3), 1)).toBe(history);
  });
});

describe('missing translations', () => {
  test('are found in the title, texts, headings and alternative texts of shown blocks', () => {
    const broken: PortalDocument = {
      ...doc,
      title: ['远联', ' '],
      blocks: [
        { id: 'a', kind: 'welcome', text: ['', 'Hello'], heading: ['标题', ''] },
        { id: 'b', kind: 'banners', images: [picture, { ...picture, alt: ['海', ''] }] },
        { id: 'c', kind: 'footer', text: ['页脚', ''], hidden: true },
      ],
    };
    expect(missingTexts(broken)).toEqual([
      { field: 'title', lang: 'en' },
      { block: 'a', field: 'heading', lang: 'en' },
      { block: 'a', field: 'text', lang: 'zh' },
      { block: 'b', field: 'images[1].alt', lang: 'en' },
    ]);
  });

  test('do not occur in the document of a new portal', () => {
    expect(missingTexts(doc)).toEqual([]);
  });
});

describe('faults', () => {
  test('do not occur in the default document', () => {
    expect(faultsOf(doc)).toEqual([]);
  });

  test('are reported at their block and field, in both languages', () => {
    const broken = editLink(
      editBlock(
        editTheme(
          editFirst(doc, 'banners', (block) => ({ ...block, images: [{ ...picture, link: 'example.com' }] })),
          { primary: '#xyz' },
        ),
        { id: 'welcome', kind: 'welcome', text: ['', 'x'.repeat(513)] },
      ),
      '',
    );
    const faults = faultsOf(broken);
    expect(faultAt(faults, undefined, 'theme.primary')?.[1]).toMatch(/#rrggbb/);
    expect(faultAt(faults, 'banners', 'images[0].link')?.[0]).toMatch(/https/);
    expect(faultAt(faults, 'welcome', 'text[1]')).toEqual(['最多512个字符', 'At most 512 characters']);
    expect(faultAt(faults, 'welcome', 'text[0]')).toBeUndefined();
  });

  test.each([
    ['a bad link of the page', { ...doc, link: 'javascript:alert(1)' }, 'link'],
    ['a long title', { ...doc, title: ['x'.repeat(26), ''] as const }, 'title[0]'],
    ['two logins', { ...doc, blocks: [{ id: 'a', kind: 'login' } as const, { id: 'b', kind: 'login' } as const] }, 'blocks'],
    ['a number out of range', { ...doc, blocks: [{ id: 'a', kind: 'packages', most: 21 } as const] }, 'most'],
    ['a wrong phone', { ...doc, blocks: [{ id: 'a', kind: 'contact', text: ['', ''], phone: 'call me' } as const] }, 'phone'],
    ['a missing fragment', { ...doc, blocks: [{ id: 'a', kind: 'fragment', name: '' } as const] }, 'name'],
  ])('include %s', (_, broken, field) => {
    expect(faultsOf(broken).map((fault) => fault.field)).toEqual([field]);
    expect('reason' in parseDocument(broken)).toBe(true);
  });
});
