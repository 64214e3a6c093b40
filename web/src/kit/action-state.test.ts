import type { Me } from '@farlink/contract/kit/resource.ts';
import { vnoList } from '@farlink/contract/vno/vno.ts';
import { describe, expect, it } from 'vitest';
import { offersOf } from './action-state.ts';

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
const reader: Me = {
  ...admin,
  is_admin: false,
  agent_level: 1,
  permissions: ['vno_list'],
  operate_permissions: { put_agent: '10', 'post_agent/login': '11', delete_agent: '00' },
};
const row = { id: 5, device_count: 3 };
const keys = (offers: ReturnType<typeof offersOf>) => offers.map((offer) => offer.key);

describe('what a page offers', () => {
  it('is everything to the platform administrator', () => {
    expect(keys(offersOf(vnoList, 'row', admin, row))).toEqual(['detail', 'edit', 'login', 'devicePwd', 'authorize', 'delete']);
  });
  it('leaves out what the role may not see, and shows what it may only see as refused', () => {
    const offers = offersOf(vnoList, 'row', reader, row);
    expect(keys(offers)).toEqual(['detail', 'edit', 'login']);
    expect(offers.map((offer) => offer.refusal !== undefined)).toEqual([false, true, false]);
  });
  it('refuses by the state of the row', () => {
    const refused = offersOf(vnoList, 'row', admin, row).find((offer) => offer.key === 'delete');
    expect(refused?.refusal).toBeDefined();
    expect(offersOf(vnoList, 'row', admin, { id: 5, device_count: 0 }).find((offer) => offer.key === 'delete')?.refusal).toBeUndefined();
  });
  it('hides the way to a page that may not be opened', () => {
    expect(keys(offersOf(vnoList, 'toolbar', admin))).toEqual(['create', 'topology']);
    expect(keys(offersOf(vnoList, 'toolbar', reader))).toEqual([]);
  });
});
