import { groups } from '@farlink/contract/menu.ts';
import { expect, test } from 'vitest';
import { menuIcons } from './menu-icons.ts';

test('every group of the menu has an icon', () => {
  expect(groups.filter((g) => !(g.icon in menuIcons)).map((g) => g.icon)).toEqual([]);
});
