import { test } from '@playwright/test';
import { userCalls } from '@farlink/contract/user/user.ts';
import { packageCalls } from '@farlink/contract/package/package.ts';
import { as } from './support/api.ts';
test('q', async () => {
  const me = await as('bluesea');
  const { list } = await me.call(userCalls.list, { package_status: 'normal', limit: 100 });
  for (const r of list) console.log(r.id, r.account, r.account_type, r.account_source, r.status, r.package_name, r.package_status, Object(r).package_periodic, r.agent_name, r.device_name, r.device_id);
  console.log(JSON.stringify(list[0]));
  console.log(await me.call(packageCalls.option, { kind: 'addition' }));
});
