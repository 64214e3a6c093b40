import { authCalls } from '@farlink/contract/auth/auth.ts';
import { infoCalls } from '@farlink/contract/market/info-setup.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { makeVno, makeVnoRole } from '../../test/world.ts';
import { seedBrands } from './brand.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
  const admin = await api.login('admin');
  const role = await makeVnoRole(admin);
  await makeVno(admin, 'bluesea', role);
  await seedBrands(api.deps);
});
afterAll(() => api.close());

test('draws a logo that the console shows', async () => {
  const vno = await api.login('bluesea');
  const { agent_logo, device_logo } = (await vno.call(infoCalls.read)).data;
  expect([agent_logo, device_logo]).toEqual([expect.any(String), expect.any(String)]);
  expect((await vno.call(authCalls.profile)).data).toMatchObject({ agent_logo });
  const picture = await (await fetch(`${api.base}${agent_logo}`)).arrayBuffer();
  expect(await sharp(picture).metadata()).toMatchObject({ format: 'png', width: 380, height: 120 });
});
