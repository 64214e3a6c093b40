import { cardCalls } from '@farlink/contract/card/card.ts';
import { cardRuleCalls } from '@farlink/contract/card/card-rule.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { extraCalls } from '@farlink/contract/package/extra-package.ts';
import { packageCalls } from '@farlink/contract/package/package.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { expect } from '@playwright/test';
import type { Caller } from './api.ts';
import { unique } from './world.ts';

const month = { package_type: 'time', time_capacity: 30, time_unit: 'day' };

/** Creates an online package for these devices; default: 30 days for 200 yuan. */
export const makePackage = async (by: Caller, device_id: readonly number[], more: Values = {}) => {
  const name = unique('套餐');
  const terms = { ...month, up_speed: 0, down_speed: 0, price: '200', priority: 1, online_type: 0 };
  const { id } = await by.call(packageCalls.create, { bind_type: 'device', device_id, name, ...terms, ...more });
  return { id, name };
};

/** Creates an extra package: 1 GB for 12 yuan. */
export const makeExtra = async (by: Caller, device_id: readonly number[], more: Values = {}) => {
  const name = unique('加油包');
  const terms = { package_type: 'flow', flow_capacity: 1, flow_unit: 'GB', price: '12' };
  const { id } = await by.call(extraCalls.create, { bind_type: 'device', device_id, name, ...terms, ...more });
  return { id, name };
};

/** A demo user with an active package; the package of a new account starts only at its first login. */
export const someoneOnline = async (by: Caller) => {
  const [found] = (await by.call(userCalls.list, { package_status: 'normal', status: 'normal' })).list;
  if (!found?.account) throw new Error('no user has an active package');
  const { device_id } = await by.call(userCalls.read, { id: found.id });
  if (!device_id) throw new Error(`${found.account} has no device`);
  return { id: found.id, account: found.account, device_id };
};

/** Creates a card of 50 yuan. */
export const makeCard = async (by: Caller) => {
  const { id: rule_id } = await by.call(cardRuleCalls.make, {
    name: unique('B'),
    cards: [{ card_type: 'amount', denomination: '50.00', count: 1 }],
    bind_type: 'none',
    expire_at: Math.floor(Date.now() / 1000) + 30 * 86_400,
  });
  await expect.poll(async () => (await by.call(cardRuleCalls.read, { id: rule_id })).state).toBe('ready');
  const [card] = (await by.call(cardCalls.list, { rule_id })).list;
  if (!card?.number) throw new Error('no card was made');
  const { value } = await by.call(cardCalls.reveal, { id: card.id });
  return { number: card.number, password: String(value) };
};
