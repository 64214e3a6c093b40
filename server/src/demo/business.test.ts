import { deviceGroupResource } from '@farlink/contract/device/group.ts';
import { check } from '@farlink/contract/kit/check.ts';
import { pick } from '@farlink/contract/kit/field.ts';
import { defaultPasswordRule } from '@farlink/contract/kit/password-rule.ts';
import { expect, it } from 'vitest';
import { fleets } from './business.ts';

it('uses device group names that the form accepts', () => {
  const fields = pick(deviceGroupResource.fields, 'name');
  for (const name of fleets) expect(check(fields, { name }, { passwordRule: defaultPasswordRule }).errors, name).toEqual({});
});
