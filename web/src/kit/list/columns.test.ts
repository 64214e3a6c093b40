import { settlement } from '@farlink/contract/finance/settlement.ts';
import { expect, test, vi } from 'vitest';

vi.stubGlobal('localStorage', { getItem: () => 'en' });
const { columnsOf } = await import('./columns.ts');
const { fitColumns, sumOf } = await import('./fit-columns.ts');

test('the list of settlements shows amounts and state in English at 1280 px, beside its longest action', () => {
  const availableWidth = 1006 - 159;
  const columns = fitColumns(columnsOf(settlement), availableWidth, 'period');
  const end = columns.findIndex(({ name }) => name === 'state') + 1;
  expect(columns.slice(0, end).map(({ name }) => name)).toEqual(expect.arrayContaining(['paid', 'refunded', 'net']));
  expect(sumOf(columns.slice(0, end), 'width')).toBeLessThanOrEqual(availableWidth);
});
