import { endpoint } from '@farlink/contract/kit/endpoint.ts';
import { link } from '@farlink/contract/kit/field.ts';
import { type Me, page } from '@farlink/contract/kit/page.ts';
import { resource } from '@farlink/contract/kit/resource.ts';
import { vnoList } from '@farlink/contract/vno/vno.ts';
import { describe, expect, it } from 'vitest';
import { barOffers, hasBatch, offersOf } from './action-state.ts';
import { suitableRows } from './suitable-rows.ts';

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

describe('actions of a page', () => {
  it('are all available to the platform administrator', () => {
    expect(keys(offersOf(vnoList, 'row', admin, row))).toEqual(['detail', 'edit', 'login', 'devicePwd', 'authorize', 'delete']);
  });
  it('omit invisible actions and disable view-only actions', () => {
    const offers = offersOf(vnoList, 'row', reader, row);
    expect(keys(offers)).toEqual(['detail', 'edit', 'login']);
    expect(offers.map((offer) => offer.refusal !== undefined)).toEqual([false, true, false]);
  });
  it('are disabled if the state of the row forbids them', () => {
    const refused = offersOf(vnoList, 'row', admin, row).find((offer) => offer.key === 'delete');
    expect(refused?.refusal).toBeDefined();
    expect(offersOf(vnoList, 'row', admin, { id: 5, device_count: 0 }).find((offer) => offer.key === 'delete')?.refusal).toBeUndefined();
  });
  it('omit links to a page without permission', () => {
    expect(keys(offersOf(vnoList, 'toolbar', admin))).toEqual(['create', 'topology']);
    expect(keys(offersOf(vnoList, 'toolbar', reader))).toEqual([]);
  });
});

describe('batch actions of a page', () => {
  const forbid = endpoint({
    method: 'POST',
    path: 'user/forbid',
    kind: 'command',
    module: 'user',
    access: ['vno_list'],
    summary: ['', ''],
  });
  const label = ['甲', 'A'] as const;
  const users = page({
    key: 'users',
    title: label,
    route: '/users',
    permission: 'vno_list',
    resource: resource({ fields: { account: link(label) }, title: ['account'], columns: ['account'], filters: [], orderby: 'account asc' }),
    forms: {},
    actions: {
      create: { on: 'toolbar', label, to: '/vno/list' },
      forbid: { on: 'batch', label, call: forbid, when: (user) => user.status !== 'expired' },
      kick: { on: 'both', label, call: forbid, when: (user) => user.online === 1, why: ['仅限在线用户', 'Online users only'] },
      change: { on: 'batch', label, call: forbid, whenAll: (all) => new Set(all.map((user) => user.source)).size === 1 },
      edit: { on: 'row', label, to: '/vno/list' },
    },
  });
  const user = (id: number, more = {}) => ({ id, account: `u${id}`, status: 'normal', online: 1, source: 'batch', ...more });
  const refusal = (key: string, ...rows: ReturnType<typeof user>[]) => barOffers(users, admin, rows).find((o) => o.key === key)?.refusal;

  it('replace the toolbar actions while rows are selected, and appear in a row if they are for both', () => {
    expect(keys(barOffers(users, admin, []))).toEqual(['create']);
    expect(keys(barOffers(users, admin, [user(1)]))).toEqual(['forbid', 'kick', 'change']);
    expect(keys(offersOf(users, 'row', admin, user(1)))).toEqual(['edit', 'kick']);
    expect(keys(offersOf(users, 'record', admin, user(1)))).toEqual(['create', 'forbid', 'kick', 'change', 'edit']);
  });
  it('for the platform are hidden from a VNO, and the reverse', () => {
    const shared = page({
      ...users,
      actions: { upload: { on: 'toolbar', label, platform: 'admin' }, ask: { on: 'toolbar', label, platform: 'vno' } },
    });
    expect(keys(barOffers(shared, { ...admin, agent_level: 0 }, []))).toEqual(['upload']);
    expect(keys(barOffers(shared, { ...admin, agent_level: 2 }, []))).toEqual(['ask']);
  });
  it('make rows selectable only if one of them is visible', () => {
    expect(hasBatch(users, admin)).toBe(true);
    expect(hasBatch(users, { ...reader, operate_permissions: { 'post_user/forbid': '00' } })).toBe(false);
  });
  it('are enabled if one row allows them, and disabled with the reason if none does', () => {
    expect(refusal('forbid', user(1), user(2))).toBeUndefined();
    expect(refusal('forbid', user(1), user(2, { status: 'expired' }))).toBeUndefined();
    const offline = [2, 3, 4, 5].map((id) => user(id, { online: 0 }));
    expect(refusal('kick', user(1), ...offline)).toBeUndefined();
    expect(refusal('kick', ...offline)).toEqual([
      '所选 4 条均不支持此操作：仅限在线用户',
      'Not available for any of the 4 selected rows: Online users only',
    ]);
  });
  it('skip the rows that do not allow them, each with its reason', () => {
    const { fit, skipped } = suitableRows(users.actions.kick, [user(1), user(2, { online: 0 })], admin);
    expect(fit.map(({ id }) => id)).toEqual([1]);
    expect(skipped).toMatchObject([{ row: { id: 2 }, why: ['仅限在线用户', 'Online users only'] }]);
  });
  it('show only the reason of the row if one row is selected', () => {
    expect(refusal('kick', user(1, { online: 0 }))?.[1]).toBe('Online users only');
  });
  it('are disabled if the rows cannot be processed together', () => {
    expect(refusal('change', user(1), user(2))).toBeUndefined();
    expect(refusal('change', user(1), user(2, { source: 'counter' }))?.[1]).toBe('The selected rows cannot be processed together');
  });
  it('are disabled by a view-only permission', () => {
    const viewer: Me = { ...reader, operate_permissions: { 'post_user/forbid': '10' } };
    expect(barOffers(users, viewer, [user(1)]).find((o) => o.key === 'forbid')?.refusal?.[1]).toBe('You have view-only permission');
  });
});
