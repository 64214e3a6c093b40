import { tempReleaseCalls } from '@farlink/contract/advanced/temp-release.ts';
import { auditAccessLogCalls } from '@farlink/contract/audit/audit-access-log.ts';
import { auditPage } from '@farlink/contract/audit/choices.ts';
import { endpoints } from '@farlink/contract/endpoints.ts';
import { errors } from '@farlink/contract/errors.ts';
import { type Endpoint, isWrite } from '@farlink/contract/kit/endpoint.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { staffRoles, vnoRoles } from '@farlink/contract/permission/role.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, grantsOf } from './api.ts';
import { exportedTexts } from './exported-text.ts';
import { sampleInput } from './sample-input.ts';
import { signAllRows } from './sign-all-rows.ts';
import { attempt, distinctInputs, forPlatform, guarded, isFile, mark, nameOf, openWalk, staffKind, type Walk } from './walk-world.ts';

/** Name of an operator of the platform. */
const boss = 'OMEGA';

let walk: Walk;
beforeAll(async () => {
  walk = await openWalk();
});
afterAll(() => walk.api.close());

const isBatchOfNone = (data: unknown) => typeof data === 'object' && data !== null && 'success' in data && data.success === 0;

describe('every declared call', () => {
  it('answers "not found" for a row of another branch, and never shows its name', async () => {
    const { stranger, fields, rows, idOf } = walk;
    for (const call of endpoints.filter((e) => e.path.includes('{'))) {
      const input = { ...sampleInput(call, { ...fields, role_id: rows['agent/role/{id}'] ?? 0 }), ...idOf(call) };
      const reply = await attempt(stranger, call, input);
      const refused = call === vnoCalls.authorize || forPlatform(call) ? errors.denied.code : errors.not_found.code;
      expect(reply.code, `${nameOf(call)} ${JSON.stringify(reply)}`).toBe(refused);
      expect(JSON.stringify(reply)).not.toContain(mark);
    }
  });

  it('refuses a row of another branch as a reference', async () => {
    const { stranger, fields, fieldsOf } = walk;
    const referring = guarded.filter(
      (e) => !e.path.includes('{') && !forPlatform(e) && Object.keys(e.input ?? {}).some((key) => key in fields),
    );
    for (const call of referring) {
      const reply = await attempt(stranger, call, {
        ...sampleInput(call, fieldsOf(call)),
        gateway_permissions: {},
        scope: 'vno',
        vno_limit: 'specified',
        ...(call === tempReleaseCalls.create && { target: 'device' }),
      });
      // A batch reports each row: here none succeeds.
      if (isWrite(call) && !isBatchOfNone(reply.data))
        expect([errors.bad_input.code, errors.not_found.code], `${nameOf(call)} ${JSON.stringify(reply)}`).toContain(reply.code);
      expect(JSON.stringify(reply)).not.toContain(mark);
    }
    for (const calls of [staffRoles.calls, vnoRoles.calls]) {
      const base = { kind: 'sub', name: '越界', permissions: grantsOf(['system_log']) };
      const device = await attempt(stranger, calls.create, {
        ...base,
        scope: 'device',
        device_limit: 'specified',
        device_ids: [fields.device_ids],
      });
      expect(device.data).toEqual({ fields: { device_ids: '请选择有效的设备' } });
    }
  });

  it('shows no row of another branch in lists, options and trees, with any filter', async () => {
    const { stranger, fields, billOf } = walk;
    const filters = [{}, { name: mark }, { username: 'zeta' }, { vno_id: fields.vno_id }, { content: mark }];
    for (const call of endpoints.filter(
      (e) => e.method === 'GET' && e.kind !== 'stream' && !e.path.includes('{') && e.access !== 'public',
    )) {
      const sample = sampleInput(call, {});
      const base = { ...sample, role_id: undefined, name: undefined, ...staffKind(call), ...billOf(call), limit: 100 };
      const inputs = filters.map((filter) => ({ ...base, ...filter }));
      for (const input of distinctInputs(call, inputs)) {
        const reply = await attempt(stranger, call, input);
        expect(JSON.stringify(reply), `${nameOf(call)} ${JSON.stringify(input)}`).not.toContain(mark);
      }
    }
  });

  it('shows its own rows to permitted sessions', async () => {
    const calls: Endpoint[] = [vnoCalls.list, vnoCalls.option, vnoCalls.topology, vnoRoles.calls.list, logCalls.own];
    for (const call of calls) {
      const reply = await attempt(walk.victim, call, { limit: 100, content: mark });
      expect(JSON.stringify(reply)).toContain(mark);
    }
  });

  it('names no operator of a VNO above in lists and details', async () => {
    const { api, reader, fieldsOf, billOf, idOf } = walk;
    await signAllRows(api, boss);
    const admin = await api.login('admin');
    for (const { id } of auditPage) await admin.call(auditAccessLogCalls.giveReason, { page: id, reason: 'Walk over all calls' });
    const reads = guarded.filter((e) => e.method === 'GET' && !isWrite(e) && !isFile(e));
    const textOf = async (by: Caller, call: Endpoint) => {
      const required = Object.entries(sampleInput(call, fieldsOf(call))).filter(([key]) => call.input?.[key]?.required);
      const input = { ...Object.fromEntries(required), ...staffKind(call), ...billOf(call), limit: 100, ...idOf(call) };
      return JSON.stringify(await attempt(by, call, input));
    };
    const named: string[] = [];
    for (const call of reads) {
      if ((await textOf(admin, call)).includes(boss)) named.push(call.path);
      expect.soft((await textOf(reader, call)).includes(boss), nameOf(call)).toBe(false);
    }
    const inFault = ['docker_info', 'audit/hold', 'audit/forget', 'customer/role', 'agent/role', 'agent/prefix', 'device/config/variable'];
    const inBills = ['bill/counter', 'bill/online', 'user/tmp', 'user/app_log', 'device/give', 'file/task'];
    expect(named).toEqual(expect.arrayContaining([...inFault, ...inBills]));
  });

  it('names no operator of a VNO above in exports', { tags: 'all' }, async () => {
    const { api, victim } = walk;
    await signAllRows(api, boss);
    const needsMore = (call: Endpoint) => Object.entries(call.input ?? {}).some(([key, field]) => field.required && key !== 'format');
    const exports = guarded.filter((e) => e.kind === 'export' && !forPlatform(e) && !needsMore(e));
    const texts = await exportedTexts(api, victim, exports);
    for (const [i, call] of exports.entries()) expect.soft(texts[i], nameOf(call)).not.toContain(boss);
  });
});
