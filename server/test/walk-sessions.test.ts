import { endpoints } from '@farlink/contract/endpoints.ts';
import { errors } from '@farlink/contract/errors.ts';
import { isWrite } from '@farlink/contract/kit/endpoint.ts';
import { isExact } from '@farlink/contract/kit/parameters.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bindings } from '../src/bindings.ts';
import { allPages, grantsOf } from './api.ts';
import { sampleInput } from './sample-input.ts';
import { attempt, forPlatform, guarded, nameOf, openWalk, staffKind, type Walk } from './walk-world.ts';
import { makeRole, makeStaff } from './world.ts';

let walk: Walk;
beforeAll(async () => {
  walk = await openWalk();
});
afterAll(() => walk.api.close());

describe('every declared call', () => {
  it('is served exactly once', () => {
    expect(bindings.map((b) => nameOf(b.call)).sort()).toEqual(endpoints.map(nameOf).sort());
  });

  it('refuses a call without a session', async () => {
    const { api, fields, idOf } = walk;
    for (const call of endpoints.filter((e) => e.access !== 'public')) {
      const reply = await attempt(api.anonymous, call, { ...sampleInput(call, fields), ...idOf(call) });
      expect(reply.code, nameOf(call)).toBe(errors.session_ended.code);
    }
  });

  it('refuses an unknown token', async () => {
    const { api, victim, fields, idOf } = walk;
    if (!victim.session) throw new Error('the victim has no session');
    const forged = api.as({ ...victim.session, token: 'x'.repeat(43) });
    for (const call of guarded) {
      const reply = await attempt(forged, call, { ...sampleInput(call, fields), ...idOf(call) });
      expect(reply.code, nameOf(call)).toBe(errors.session_ended.code);
    }
  });

  it('refuses a role without its page', async () => {
    const { without, fields, idOf } = walk;
    for (const call of guarded) {
      const reply = await attempt(without, call, { ...sampleInput(call, fields), ...idOf(call) });
      expect(reply.code, nameOf(call)).toBe(errors.denied.code);
    }
  });

  it('refuses a role that has all pages except the page of the call', { tags: 'all' }, async () => {
    const { api, victim, fields, idOf } = walk;
    for (const [i, page] of allPages.entries()) {
      const role = await makeRole(victim, `x${i} ${page}`.slice(0, 15), grantsOf(allPages.filter((p) => p !== page)));
      await makeStaff(victim, `x_${page}`, role);
      const by = await api.login(`x_${page}`);
      for (const call of guarded.filter((e) => Array.isArray(e.access) && e.access.every((key: string) => key === page))) {
        const reply = await attempt(by, call, { ...sampleInput(call, fields), ...idOf(call) });
        expect(reply.code, `${nameOf(call)} without ${page}`).toBe(errors.denied.code);
      }
    }
  });

  it('allows reads and refuses writes of a view-only role', async () => {
    const { reader, rows, fieldsOf, billOf, idOf } = walk;
    for (const call of guarded) {
      const role_id = rows[call.path.startsWith('customer') ? 'customer/role/{id}' : 'agent/role/{id}'] ?? 0;
      const reply = await attempt(reader, call, {
        ...sampleInput(call, { ...fieldsOf(call), role_id }),
        ...staffKind(call),
        ...billOf(call),
        ...idOf(call),
      });
      if (isWrite(call) || forPlatform(call)) expect(reply.code, nameOf(call)).toBe(errors.denied.code);
      else expect(reply.code, `${nameOf(call)} ${JSON.stringify(reply.data)}`).toBe(0);
    }
  });

  it('refuses a parameter that it does not have, and names it', async () => {
    const { api, victim, idOf } = walk;
    const admin = await api.login('admin');
    for (const call of endpoints.filter(isExact)) {
      const by = call.access === 'public' ? api.anonymous : admin;
      const first = await by.call(call, { ...idOf(call), nmae: 'x' });
      const { data } = first.code === errors.denied.code ? await victim.call(call, { ...idOf(call), nmae: 'x' }) : first;
      expect(data, nameOf(call)).toMatchObject({ fields: { nmae: '未知参数：nmae' } });
    }
  });
});
