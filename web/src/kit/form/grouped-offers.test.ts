import type { Me } from '@farlink/contract/kit/page.ts';
import { pages } from '@farlink/contract/pages.ts';
import { describe, expect, it } from 'vitest';
import { offersOf } from '../actions/action-state.ts';
import { groupedOffers } from './grouped-offers.ts';

const admin: Me = {
  uid: 1,
  agent_id: 1,
  agent_level: 0,
  agent_mode: 3,
  agent_child_enable: true,
  is_admin: true,
  permissions: null,
  operate_permissions: {},
  view_hide_pkg: true,
};
/** Number of actions that a row shows before the menu. */
const inLine = 2;
const pageOf = (key: string) => {
  const found = pages.find((page) => page.key === key);
  if (!found) throw new Error(key);
  return found;
};

const menuOf = (key: string) => groupedOffers(offersOf(pageOf(key), 'row', admin).slice(inLine));

describe('the menu of a row', () => {
  // A detail page shows its actions as buttons.
  it.each(pages.filter(({ route }) => !route.includes(':')).map(({ key }) => key))('has at most eight entries: %s', (key) => {
    expect(menuOf(key).length).toBeLessThanOrEqual(8);
  });
  it('puts the actions of one group into one entry', () => {
    const keys = menuOf('deviceList').map(({ offers }) => offers.map((offer) => offer.key));
    expect(keys[0]).toEqual(['gateway']);
    expect(keys).toContainEqual(['router', 'ac', 'antenna', 'telnet', 'restart', 'remoteHistory']);
    expect(keys).toContainEqual(['upgrade', 'rollback']);
  });
});
