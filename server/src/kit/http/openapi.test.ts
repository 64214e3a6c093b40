import { endpoints } from '@farlink/contract/endpoints.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { expect, it } from 'vitest';
import { objectOf, openapiOf } from './openapi.ts';

const document = openapiOf(endpoints);

it('names every call once, with its permission and a unique id', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations).toHaveLength(endpoints.length);
  expect(new Set(operations.map((o) => o.operationId)).size).toBe(endpoints.length);
  for (const o of operations) expect(o['x-permission']).toBeDefined();
});

it('describes a field by its rules', () => {
  const { properties, required } = objectOf(vnoCalls.create.input);
  expect(properties).toMatchObject({
    username: { type: 'string', maxLength: 32, pattern: expect.stringContaining('{4,32}') },
    agent_mode: { enum: [1, 2, 4, 3], default: 1 },
    password: { writeOnly: true },
  });
  expect(required).toEqual(expect.arrayContaining(['username', 'password', 'name', 'parent_id', 'role_id']));
  expect(required).not.toContain('code');
});

it('lists the filters of a list as parameters, time as a range and numbers with their operator', () => {
  const list = document.paths['/agt/v1/agent']?.get;
  const names = list?.parameters.map((p) => p.name);
  expect(names).toEqual(
    expect.arrayContaining(['page', 'limit', 'orderby', 'name', 'create_at_start', 'create_at_end', 'device_count', 'cond_device_count']),
  );
});
