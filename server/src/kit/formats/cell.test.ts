import { exportState } from '@farlink/contract/export/export.ts';
import {
  bool,
  bytes,
  choice,
  duration,
  grants,
  int,
  money,
  option,
  options,
  password,
  progress,
  rate,
  speed,
  states,
  tags,
  text,
  time,
} from '@farlink/contract/kit/field.ts';
import { expect, test } from 'vitest';
import { cellOf, fileCellOf, headText, localTime } from './cell.ts';

const label = ['标签', 'Label'] as const;

test('each kind of field shows its value as a reader expects it', () => {
  const cells = [
    cellOf(text(label), 'a=b', 'zh', 480),
    cellOf(int(label), -5, 'zh', 480),
    cellOf(progress(label), 40, 'zh', 480),
    cellOf(option(label, 'x'), 7, 'zh', 480),
    cellOf(money(label), '-12.50', 'zh', 480),
    cellOf(tags(label), ['一', '二'], 'zh', 480),
    cellOf(options(label, 'x'), [1, 2], 'en', 480),
    cellOf(grants(label, 'x'), { a: '11' }, 'zh', 480),
  ];
  expect(cells).toEqual(['a=b', -5, 40, 7, { decimal: '-12.50' }, '一、二', '1, 2', '{"a":"11"}']);
});

test('a choice shows its label in the language of the reader, and an unknown value shows itself', () => {
  const field = choice(label, exportState.options);
  expect([cellOf(field, 10, 'zh', 0), cellOf(field, 10, 'en', 0), cellOf(field, 99, 'en', 0)]).toEqual(['无数据', 'No data', '99']);
  expect([cellOf(bool(label), true, 'zh', 0), cellOf(bool(label), false, 'en', 0)]).toEqual(['是', 'No']);
});

test('a known code of a text shows its label', () => {
  const field = text(label, { codes: [{ id: 'news', label: ['新闻', 'News'] }] });
  expect([cellOf(field, 'news', 'zh', 0), cellOf(field, 'news', 'en', 0), cellOf(field, 'tv', 'zh', 0)]).toEqual(['新闻', 'News', 'tv']);
});

test('parts are shown with their states', () => {
  const field = states(label, [{ id: 'on', label: ['已连接', 'On'] }]);
  const tagStates = [
    { name: 'LTE', state: 'on' },
    { name: '6D', state: 'odd' },
  ];
  expect([cellOf(field, tagStates, 'zh', 0), cellOf(field, tagStates, 'en', 0)]).toEqual(['LTE 已连接、6D odd', 'LTE On, 6D odd']);
});

test('time is shown in the time zone of the reader', () => {
  const newYear = Date.UTC(2025, 11, 31, 16, 0, 5) / 1000;
  expect(localTime(newYear, 480)).toBe('2026-01-01 00:00:05');
  expect(localTime(newYear, -300)).toBe('2025-12-31 11:00:05');
  expect(cellOf(time(label), newYear, 'en', 0)).toBe('2025-12-31 16:00:05');
});

test('a missing value and a secret are an empty cell', () => {
  expect([
    cellOf(int(label), null, 'zh', 0),
    cellOf(text(label), undefined, 'zh', 0),
    cellOf(password(label), 'hunter22', 'zh', 0),
  ]).toEqual(['', '', '']);
});

test('figures of a file are numbers in the unit of the header', () => {
  const cells = [bytes(label), duration(label), speed(label), rate(label)].map((field) => fileCellOf(field, 10_000_000, 'zh', 0));
  expect(cells).toEqual([10_000_000, 10_000_000, 80_000_000, { decimal: '10000000.0' }]);
  expect(fileCellOf(bytes(label), null, 'zh', 0)).toBe('');
  const heads = [bytes(label), duration(label), speed(label), rate(label)].map((field) => headText(field, 'en').replace(label[1], ''));
  expect(heads).toEqual([' (bytes)', ' (s)', ' (kbps, 0: unlimited)', ' (KB/s)']);
});
