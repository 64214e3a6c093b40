import { deviceCalls } from '@farlink/contract/device/device.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { packageCalls } from '@farlink/contract/package/package.ts';
import { addCalls } from '@farlink/contract/user/add.ts';
import { as, type Caller } from './api.ts';
import { unique } from './world.ts';

/** A device of the demo data, and a package that is sold there. */
export const makeBillingFixture = async (by?: Caller) => {
  const seller = by ?? (await as('admin'));
  const [device] = Object.entries(await seller.call(deviceCalls.option));
  if (!device) throw new Error('the demo world has no device');
  const [id, label] = device;
  const name = unique('套餐');
  const binding = { bind_type: 'device', device_id: [Number(id)] };
  const time = { package_type: 'time', time_capacity: 30, time_unit: 'day' };
  const input = { ...binding, ...time, name, up_speed: 0, down_speed: 0, price: '98', priority: 1, online_type: 0 };
  const made = await seller.call(packageCalls.create, input);
  return { seller, device: { id: Number(id), label }, package: { id: made.id, name } };
};
export type BillingFixture = Awaited<ReturnType<typeof makeBillingFixture>>;

const year = 365 * 86_400;

/** Opens an account at the counter through the API. */
export const openAccount = async (billing: BillingFixture, more: Values = {}) => {
  const reply = await billing.seller.call(addCalls.add, {
    account_source: 'counter',
    account_type: 'personal',
    account: unique('u_'),
    password: 'sea1234',
    repassword: 'sea1234',
    name: '林小海',
    phone: '13800001234',
    id_number: '11010519491231002X',
    allow_logins: 1,
    bind_type: 'device',
    device_id: billing.device.id,
    package_id: billing.package.id,
    expire_at: Math.floor(Date.now() / 1000) + year,
    ...more,
  });
  // The demo VNO can add its prefix to the account.
  if (!('account' in reply)) throw new Error('no single account was opened');
  return { id: reply.id, account: reply.account };
};
