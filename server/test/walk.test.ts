import { Readable } from 'node:stream';
import { tempReleaseCalls } from '@farlink/contract/advanced/temp-release.ts';
import { auditAccessLogCalls } from '@farlink/contract/audit/audit-access-log.ts';
import { auditPage } from '@farlink/contract/audit/choices.ts';
import { authCalls } from '@farlink/contract/auth/auth.ts';
import { endpoints } from '@farlink/contract/endpoints.ts';
import { errors } from '@farlink/contract/errors.ts';
import { billCalls } from '@farlink/contract/finance/bill.ts';
import { receiptCalls } from '@farlink/contract/finance/receipt.ts';
import { type Endpoint, isWrite } from '@farlink/contract/kit/endpoint.ts';
import { commonParameters, isExact, parametersOf } from '@farlink/contract/kit/parameters.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { extraCalls } from '@farlink/contract/package/extra-package.ts';
import { packageCalls } from '@farlink/contract/package/package.ts';
import { applicationCalls, policyCalls } from '@farlink/contract/package/package-template.ts';
import { pages } from '@farlink/contract/pages.ts';
import { staffRoles, vnoRoles } from '@farlink/contract/permission/role.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bindings } from '../src/bindings.ts';
import { postSale } from '../src/domain/ledger/post-sale.ts';
import { grantPackages } from '../src/domain/metering/store/grant-packages.ts';
import { openFileStore } from '../src/kit/files/open-file-store.ts';
import { type Api, allPages, type Caller, grantsOf, inputOf, type Reply, startApi } from './api.ts';
import { exportedText } from './exported-text.ts';
import { sampleInput } from './sample-input.ts';
import { signAllRows } from './sign-all-rows.ts';
import { isSoak } from './soak.ts';
import { subscriberRow } from './subscriber.ts';
import { makeVictimAudit } from './walk-audit.ts';
import { makeVictimCash } from './walk-cash.ts';
import { makeVictimConfig, makeVictimRun } from './walk-config.ts';
import { makeDangerSite } from './walk-danger-site.ts';
import { makeVictimDetail } from './walk-detail.ts';
import { makeVictimFiles } from './walk-files.ts';
import { makeVictimLogs } from './walk-logs.ts';
import { makeVictimNotice } from './walk-notice.ts';
import { makeVictimPortal } from './walk-portal.ts';
import { makeVictimRadius } from './walk-radius.ts';
import { makeVictimTempRelease } from './walk-release.ts';
import { makeVictimRemote } from './walk-remote.ts';
import { makeVictimTemplate } from './walk-template.ts';
import { makeVictimTraffic } from './walk-traffic.ts';
import { makeBranches, makeRole, makeStaff, makeVno, makeVnoRole } from './world.ts';

/** Calls every declared call as each caller that must be refused. One test per caller; the total is printed at the end. */

const mark = 'ZETA'; // part of every name of the victim, so that any reply reveals a leak
let bill = { bill_no: '' };
let api: Api;
let stranger: Caller;
let victim: Caller;
let without: Caller;
let reader: Caller;
/** Row ids of the victim by path and by field. */
let rows: Record<string, number>;
let fields: Record<string, number>;
/** Name of an operator of the platform. */
const boss = 'OMEGA';
let tried = 0;

beforeAll(async () => {
  api = await startApi();
  const { admin, west } = await makeBranches(api);
  stranger = west;
  const role = await makeVnoRole(admin, 'Victim');
  await makeVno(admin, 'victim', role, { name: `${mark} root` });
  victim = await api.login('victim');
  const agentRole = await makeVnoRole(victim, `${mark} v`);
  const childId = await makeVno(victim, 'victim_child', agentRole, { name: `${mark} child` });
  const subRole = await makeRole(victim, `${mark} s`, grantsOf(['system_log']));
  const staffId = await makeStaff(victim, 'zeta_staff', subRole, { name: `${mark} staff` });
  const prefix = await victim.call(prefixCalls.create, { vno_id: childId, prefix: 'zeta' });
  const device = await api.db
    .insertInto('device')
    .values({ agent_id: childId, name: `${mark} ship`, sn: `${mark}-1`, create_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  await admin.call(vnoCalls.authorize, { id: victim.session?.agent_id, total: 3, expire_at: api.clock.now() + 1000 });
  const binding = { bind_type: 'device', device_id: [device.id], price: '9', package_type: 'flow', flow_capacity: 1, flow_unit: 'GB' };
  const pkg = await victim.call(packageCalls.create, {
    ...binding,
    name: `${mark} pkg`,
    up_speed: 0,
    down_speed: 0,
    priority: 1,
    online_type: 0,
  });
  const extra = await victim.call(extraCalls.create, { ...binding, name: `${mark} extra` });
  const application = await victim.call(applicationCalls.create, { name: `${mark} app`, mode: 0, configure: ['9.197'] });
  const policy = await victim.call(policyCalls.create, { name: `${mark} pol`, ratio: 80, action: 2 });
  const subscriber = await api.db
    .insertInto('subscriber')
    .values(
      subscriberRow({ agent_id: childId, account: 'zeta_user', name: `${mark} user`, device_id: device.id, photo_key: 'photo/zeta.png' }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await openFileStore(api.deps.config).put('photo/zeta.png', Readable.from(['x']), 1);
  const sold = { id: pkg.data.id, name: `${mark} pkg` };
  const grant = { subscriber_id: subscriber.id, agent_id: childId, package_id: sold.id, price: '9.00', count: 1 };
  await grantPackages(api.db, [grant], api.clock.now());
  const buyer = await api.db.selectFrom('subscriber').selectAll().where('id', '=', subscriber.id).executeTakeFirstOrThrow();
  const sale = { cause: mark, channel: 'counter', expense_type: 'open', pay_method: 'cash', income: '9.00', buyer, package: sold } as const;
  const seller = { agent_id: childId, customer_id: null, operator: `${mark} till` };
  bill = await api.db.transaction().execute((db) => postSale(db, seller, sale, api.clock.now()));
  await victim.call(billCalls.exportCounter, { format: 'csv', operator: mark });
  const rule = {
    agent_id: childId,
    batch_no: `${mark}-1`,
    name: `${mark} batch`,
    card_type: 'amount',
    denomination: '5.00',
    count: 1,
  } as const;
  const batch = await api.db
    .insertInto('card_rule')
    .values({ ...rule, state: 'ready', expire_at: 4_000_000_000, producer: mark, create_at: 1, update_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const card = await api.db
    .insertInto('recharge_card')
    .values({ rule_id: batch.id, agent_id: childId, number: mark, password: '-', expire_at: 4_000_000_000, create_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const place1 = { agent_id: childId, device_id: device.id };
  const sync = { direction: 'down', total: 1, success_count: 0, fail_count: 1, result: 'fail', duration: 1, create_at: 1 } as const;
  await api.db
    .insertInto('sync_log')
    .values({ ...place1, ...sync, message_zh: mark, message_en: mark })
    .execute();
  const sent = { policy_source: 'user_defined', custom_policy: true, result: 'success', operator: mark, create_at: 1 } as const;
  await api.db
    .insertInto('policy_log')
    .values({ ...place1, ...sent, account: mark })
    .execute();
  const config = await api.db.selectFrom('open_config').select('id').where('agent_id', '=', childId).executeTakeFirstOrThrow();
  const opening = await api.db
    .insertInto('job')
    .values({
      kind: 'open_batch',
      payload: '{}',
      state: 'done',
      customer_id: victim.session?.uid ?? 0,
      run_at: 1,
      create_at: 1,
      finish_at: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const channel = await api.db
    .selectFrom('payment_channel')
    .select('id')
    .where('agent_id', '=', victim.session?.agent_id ?? 0)
    .executeTakeFirstOrThrow();
  const domainRow = await api.db
    .selectFrom('domain')
    .select('id')
    .where('agent_id', '=', victim.session?.agent_id ?? 0)
    .executeTakeFirstOrThrow();
  const payOrder = await api.db
    .insertInto('pay_order')
    .values({
      agent_id: childId,
      order_no: `${mark}-order`,
      channel: 'wechat',
      expense_type: 'recharge',
      user_name: `${mark} user`,
      amount: '9.00',
      operator: mark,
      expire_at: 4_000_000_000,
      create_at: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const firmware = await api.db
    .insertInto('firmware')
    .values({
      version: '01.02.03',
      file_name: `${mark}.bin`,
      file_key: 'firmware/zeta',
      size: 1,
      sha256: '-',
      remark: mark,
      display_rule: 'vno',
      vno_ids: [childId],
      operator: mark,
      create_at: 1,
      update_at: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await openFileStore(api.deps.config).put('firmware/zeta', Readable.from(['x']), 1);
  await api.db
    .insertInto('firmware_model')
    .values({ firmware_id: firmware.id, model: `${mark} model`, version_key: 10_203 })
    .execute();
  await api.db
    .insertInto('firmware_log')
    .values({ agent_id: childId, version: mark, model: mark, file_name: mark, operator: mark, create_at: 1 })
    .execute();
  const campaign = await api.db
    .insertInto('upgrade_campaign')
    .values({
      kind: 'upgrade',
      version: '01.02.03',
      agent_id: childId,
      operator: mark,
      send_mode: 'immediate',
      send_at: 1,
      state: 'stopped',
      device_count: 1,
      deadline: 4_000_000_000,
      create_at: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const notify = { device_id: device.id, emails: [`${mark}@sea.cn`], lang: 'zh' as const, creator: mark, create_at: 1, update_at: 1 };
  const [statusRule, apRule] = await api.db
    .insertInto('notify_rule')
    .values([
      { ...notify, kind: 'status' as const, events: ['offline'] },
      { ...notify, kind: 'ap' as const, events: ['up'] },
    ])
    .returning('id')
    .execute();
  const group = await api.db
    .insertInto('device_group')
    .values({ agent_id: childId, name: `${mark} group`, create_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const portal = await api.db
    .insertInto('portal')
    .values({ agent_id: childId, name: `${mark} portal`, create_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const color = await api.db.selectFrom('wan_color').select('id').limit(1).executeTakeFirstOrThrow();
  const exported = await victim.call(logCalls.export, { format: 'csv' });
  const log = await api.db
    .selectFrom('syslog')
    .select('id')
    .where('agent_id', '=', victim.session?.agent_id ?? 0)
    .executeTakeFirstOrThrow();
  const owner = await api.db.selectFrom('customer').select('id').where('agent_id', '=', childId).executeTakeFirstOrThrow();
  const files = await makeVictimFiles(api, { agentId: childId, uid: victim.session?.uid ?? 0, deviceId: device.id, mark });
  const logs = await makeVictimLogs(api, { by: victim, agentId: childId, deviceId: device.id, mark });
  const remote = await makeVictimRemote(api, { agentId: childId, deviceId: device.id, mark });
  const detail = await makeVictimDetail(api, { agentId: childId, deviceId: device.id, userId: subscriber.id, mark });
  const templates = await makeVictimTemplate(api, { agentId: childId, deviceId: device.id, mark });
  const runs = await makeVictimRun(api, { deviceId: device.id, mark });
  const radius = await makeVictimRadius(api, { agentId: childId, deviceId: device.id, subscriberId: subscriber.id, mark });
  const release = await makeVictimTempRelease(api, { agentId: childId, deviceId: device.id, mark });
  const notices = await makeVictimNotice(api, { agentId: childId, deviceId: device.id, subscriberId: subscriber.id, mark });
  const portals = await makeVictimPortal(api, { agentId: childId, portalId: portal.id, deviceId: device.id, mark });
  const traffic = await makeVictimTraffic(api, { by: victim, agentId: childId, deviceId: device.id, mark });
  const audit = await makeVictimAudit(api, { by: victim, agentId: childId, deviceId: device.id, mark });
  const danger = await makeDangerSite(api, mark);
  const cash = await makeVictimCash(api, { agentId: victim.session?.agent_id ?? 0, childId, clerkId: staffId, mark });
  rows = {
    ...cash.rows,
    ...audit.rows,
    ...danger.rows,
    ...traffic.rows,
    ...notices.rows,
    ...release.rows,
    ...portals.rows,
    ...templates.rows,
    ...runs.rows,
    ...detail.rows,
    ...files.rows,
    ...logs.rows,
    ...remote.rows,
    'agent/{id}': childId,
    'agent/login/{id}': childId,
    'agent/authorize/{id}': childId,
    'agent/customer/{id}': owner.id,
    'agent/role/{id}': agentRole,
    'agent/prefix/{id}': prefix.data.id,
    'customer/{id}': staffId,
    'customer/login/{id}': staffId,
    'customer/role/{id}': subRole,
    ...Object.fromEntries(['', '/rotate', '/reveal'].map((part) => [`nas/{id}${part}`, radius.nasId])),
    'payment/{id}': channel.id,
    'domain/{id}': domainRow.id,
    'domain/{id}/check': domainRow.id,
    'device/device_status_notify/{id}': statusRule?.id ?? 0,
    'ap/link_notify/{id}': apRule?.id ?? 0,
    'pay/order/{id}': payOrder.id,
    'pay/order/{id}/withdraw': payOrder.id,
    'syslog/{id}': log.id,
    'export/{id}': exported.data.id,
    'export/download/{id}': exported.data.id,
    ...Object.fromEntries(
      ['', '/reveal', '/photo', '/rejections', '/standing', '/service', '/policy', '/cards', '/log'].map((part) => [
        `user/{id}${part}`,
        subscriber.id,
      ]),
    ),
    'device/mod/{id}': device.id,
    'device/group/{id}': group.id,
    'device/wan_color/{id}': color.id,
    'firmware/{id}': firmware.id,
    'firmware/download/{id}': firmware.id,
    'firmware/campaign/{id}': campaign.id,
    ...Object.fromEntries(['device', 'stop', 'continue', 'end'].map((part) => [`firmware/campaign/{id}/${part}`, campaign.id])),
    'user/config/{id}': config.id,
    'user/opening/{id}': opening.id,
    'user/opening/report/{id}': opening.id,
    'user/setting/{id}': (victim.session?.agent_id ?? 0) * 100 + 1,
    'package/{id}': pkg.data.id,
    'package/addition/{id}': extra.data.id,
    'recharge_card_rule/{id}': batch.id,
    'recharge_card_rule/{id}/void': batch.id,
    'recharge_card/{id}/reveal': card.id,
    'application/{id}': application.data.id,
    'policy/{id}': policy.data.id,
  };
  fields = {
    ...cash.fields,
    ...remote.fields,
    ...files.fields,
    vno_id: childId,
    parent_id: childId,
    role_id: agentRole,
    account_prefix: prefix.data.id,
    vno_ids: childId,
    device_ids: device.id,
    device_id: device.id,
    site_device_id: device.id,
    package_id: pkg.data.id,
    user_id: subscriber.id,
    ids: subscriber.id,
    application_id: application.data.id,
    policy_id: policy.data.id,
    device_group_id: group.id,
    device_group_ids: group.id,
    portal_id: portal.id,
  };

  const none = await makeRole(victim, 'none', { post_agent: '11' });
  await makeStaff(victim, 'zeta_none', none);
  without = await api.login('zeta_none');
  const read = await makeRole(victim, 'read', grantsOf(allPages, '10'));
  await makeStaff(victim, 'zeta_read', read);
  await makeVictimConfig(api, { deviceId: device.id, mark });
  reader = await api.login('zeta_read');
  // Audit data is shown after a reason was given.
  for (const by of [reader, stranger])
    for (const { id } of auditPage) await by.call(auditAccessLogCalls.giveReason, { page: id, reason: 'Walk over all calls' });
});
afterAll(async () => {
  process.stdout.write(`walk: ${tried} tries over ${endpoints.length} calls\n`);
  await api.close();
});

const name = (call: Endpoint) => `${call.method} ${call.path}`;
const guarded = endpoints.filter((e) => Array.isArray(e.access));
const idOf = (call: Endpoint) => {
  if (!call.path.includes('{')) return {};
  const id = rows[call.path];
  if (id === undefined) throw new Error(`the walk knows no row for ${name(call)}: add one`);
  // A revision of the row.
  return { id, ...(call.path.includes('{rev}') && { rev: 1 }) };
};
const attempt = async (by: Caller, call: Endpoint, input: Record<string, unknown>): Promise<Reply> => {
  tried++;
  const reply = await by.call(call, inputOf(call, input));
  expect(reply.status, `${name(call)} ${JSON.stringify(reply)}`).not.toBe(500);
  return reply;
};
/** The objects in `ids`: subscribers, or devices. */
const aboutDevices = (call: Endpoint) => /^(device|firmware)\b/.test(call.path);
const fieldsOf = (call: Endpoint) => (aboutDevices(call) ? { ...fields, ids: fields.device_id ?? 0 } : fields);
/** Platform-only pages: always denied to a VNO, regardless of its role. */
const forPlatform = (call: Endpoint) =>
  Array.isArray(call.access) && call.access.every((key: string) => pages.find((p) => p.permission === key)?.platform === 'admin');
/** A receipt is identified by its bill. */
const billOf = (call: Endpoint) => (call === receiptCalls.read ? { bill_no: bill.bill_no } : {});
/** Staff lists need a kind. */
const staffKind = (call: Endpoint) => (call.path.startsWith('customer') ? { kind: 'sub' } : {});
const isBatchOfNone = (data: unknown) => typeof data === 'object' && data !== null && 'success' in data && data.success === 0;
/** A stream reply does not end; it has a separate test. */
const file = (call: Endpoint) => call.kind === 'file' || call.kind === 'stream' || call.path === 'captcha';

/** Parameters that the call uses, and one that all calls have. */
const ownParametersOf = (call: Endpoint) => [...[...parametersOf(call)].filter((key) => !commonParameters.includes(key)), 'uid'];
const isInQuery = ({ method }: Endpoint) => method === 'GET' || method === 'DELETE';
const nul = 'a\u0000b';
const half = '\ud800';
const odd = { toString: 1 } as const;
const list = ['a\u0000b'] as const;
/** Values that no parameter accepts. A query has no half surrogate pair; a document may have any key. */
const malformedIn = (call: Endpoint, key: string): readonly unknown[] => {
  if (isInQuery(call)) return [nul];
  return call.input?.[key]?.kind === 'document' ? [nul, half, list] : [nul, half, odd, list];
};
/** Well-formed JSON values that may break a database, a log or a comparison. */
const hostileTexts = [nul, half, '2147483648'];
const hostile = [...hostileTexts, Number.MAX_SAFE_INTEGER, odd, list, [null]];
/** Refusals before the call runs. */
const early: readonly number[] = [errors.bad_input, errors.denied, errors.too_many].map(({ code }) => code);
const isDeclared = (code: number) => code === 0 || Object.values(errors).some((error) => error.code === code && error.status < 500);

const wrongPage = { page: -1, limit: 'x', orderby: '; drop' };

describe('every declared call', () => {
  it('is served exactly once', () => {
    expect(bindings.map((b) => name(b.call)).sort()).toEqual(endpoints.map(name).sort());
  });

  it('refuses a call without a session', async () => {
    for (const call of endpoints.filter((e) => e.access !== 'public')) {
      const reply = await attempt(api.anonymous, call, { ...sampleInput(call, fields), ...idOf(call) });
      expect(reply.code, name(call)).toBe(errors.session_ended.code);
    }
  });

  it('refuses an unknown token', async () => {
    const forged = api.as({ ...(victim.session ?? fail()), token: 'x'.repeat(43) });
    for (const call of guarded)
      expect((await attempt(forged, call, { ...sampleInput(call, fields), ...idOf(call) })).code, name(call)).toBe(
        errors.session_ended.code,
      );
  });

  it('refuses a role without its page', async () => {
    for (const call of guarded)
      expect((await attempt(without, call, { ...sampleInput(call, fields), ...idOf(call) })).code, name(call)).toBe(errors.denied.code);
  });

  it('refuses a role that has all pages except the page of the call', { tags: 'all' }, async () => {
    for (const [i, page] of allPages.entries()) {
      const role = await makeRole(victim, `x${i} ${page}`.slice(0, 15), grantsOf(allPages.filter((p) => p !== page)));
      await makeStaff(victim, `x_${page}`, role);
      const by = await api.login(`x_${page}`);
      for (const call of guarded.filter((e) => Array.isArray(e.access) && e.access.every((key: string) => key === page)))
        expect((await attempt(by, call, { ...sampleInput(call, fields), ...idOf(call) })).code, `${name(call)} without ${page}`).toBe(
          errors.denied.code,
        );
    }
  });

  it('allows reads and refuses writes of a view-only role', async () => {
    for (const call of guarded) {
      const role_id = rows[call.path.startsWith('customer') ? 'customer/role/{id}' : 'agent/role/{id}'] ?? 0;
      const reply = await attempt(reader, call, {
        ...sampleInput(call, { ...fieldsOf(call), role_id }),
        ...staffKind(call),
        ...billOf(call),
        ...idOf(call),
      });
      if (isWrite(call) || forPlatform(call)) expect(reply.code, name(call)).toBe(errors.denied.code);
      else expect(reply.code, `${name(call)} ${JSON.stringify(reply.data)}`).toBe(0);
    }
  });

  it('answers "not found" for a row of another branch, and never shows its name', async () => {
    for (const call of endpoints.filter((e) => e.path.includes('{'))) {
      const reply = await attempt(stranger, call, {
        ...sampleInput(call, { ...fields, role_id: rows['agent/role/{id}'] ?? 0 }),
        ...idOf(call),
      });
      const refused = call === vnoCalls.authorize || forPlatform(call) ? errors.denied.code : errors.not_found.code;
      expect(reply.code, `${name(call)} ${JSON.stringify(reply)}`).toBe(refused);
      expect(JSON.stringify(reply)).not.toContain(mark);
    }
  });

  it('refuses a row of another branch as a reference', async () => {
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
        expect([errors.bad_input.code, errors.not_found.code], `${name(call)} ${JSON.stringify(reply)}`).toContain(reply.code);
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
    for (const call of endpoints.filter(
      (e) => e.method === 'GET' && e.kind !== 'stream' && !e.path.includes('{') && e.access !== 'public',
    )) {
      for (const filters of [{}, { name: mark }, { username: 'zeta' }, { vno_id: fields.vno_id }, { content: mark }]) {
        const reply = await attempt(stranger, call, {
          ...sampleInput(call, {}),
          role_id: undefined,
          name: undefined,
          ...staffKind(call),
          ...billOf(call),
          limit: 100,
          ...filters,
        });
        expect(JSON.stringify(reply), `${name(call)} ${JSON.stringify(filters)}`).not.toContain(mark);
      }
    }
  });

  it('shows its own rows to permitted sessions', async () => {
    const seen = await Promise.all(
      [vnoCalls.list, vnoCalls.option, vnoCalls.topology, vnoRoles.calls.list, logCalls.own].map((call: Endpoint) =>
        attempt(victim, call, { limit: 100, content: mark }),
      ),
    );
    for (const reply of seen) expect(JSON.stringify(reply)).toContain(mark);
  });

  it('names no operator of a VNO above in lists, details and exports', async () => {
    await signAllRows(api, boss);
    const admin = await api.login('admin');
    for (const { id } of auditPage) await admin.call(auditAccessLogCalls.giveReason, { page: id, reason: 'Walk over all calls' });
    const reads = guarded.filter((e) => e.method === 'GET' && !isWrite(e) && !file(e));
    const textOf = async (by: Caller, call: Endpoint) => {
      const required = Object.entries(sampleInput(call, fieldsOf(call))).filter(([key]) => call.input?.[key]?.required);
      return JSON.stringify(
        await attempt(by, call, { ...Object.fromEntries(required), ...staffKind(call), ...billOf(call), limit: 100, ...idOf(call) }),
      );
    };
    const named: string[] = [];
    for (const call of reads) {
      if ((await textOf(admin, call)).includes(boss)) named.push(call.path);
      expect.soft((await textOf(reader, call)).includes(boss), name(call)).toBe(false);
    }
    const inFault = ['docker_info', 'audit/hold', 'audit/forget', 'customer/role', 'agent/role', 'agent/prefix', 'device/config/variable'];
    const inBills = ['bill/counter', 'bill/online', 'user/tmp', 'user/app_log', 'device/give', 'file/task'];
    expect(named).toEqual(expect.arrayContaining([...inFault, ...inBills]));
    const needsMore = (call: Endpoint) => Object.entries(call.input ?? {}).some(([key, field]) => field.required && key !== 'format');
    for (const call of guarded.filter((e) => e.kind === 'export' && !forPlatform(e) && !needsMore(e)))
      expect.soft(await exportedText(api, victim, call), name(call)).not.toContain(boss);
  });

  it('refuses invalid input, and never fails with a server error', async () => {
    for (const call of endpoints.filter((e) => e !== authCalls.logout && !file(e))) {
      const wild = Object.fromEntries(Object.keys(call.input ?? {}).map((key) => [key, { nested: ['\u0000', -1] }]));
      const send = async (input: Record<string, unknown>) =>
        (await attempt(victim, call, { kind: 'sub', ...(call.path.includes('{') && { id: 999_999_999 }), ...input })).code;
      const codes = { empty: await send({}), id: await send({ id: 'x' }), wild: await send(wild), page: await send(wrongPage) };
      for (const [input, code] of Object.entries(codes)) expect(isDeclared(code), `${name(call)} ${input} ${code}`).toBe(true);
      if (call.kind === 'list') expect(early, name(call)).toContain(codes.page);
      if (!isInQuery(call) && Object.keys(wild).length > 0) expect(early, name(call)).toContain(codes.wild);
    }
  });

  it('refuses a parameter that it does not have, and names it', async () => {
    const admin = await api.login('admin');
    for (const call of endpoints.filter(isExact)) {
      const by = call.access === 'public' ? api.anonymous : admin;
      tried++;
      const first = await by.call(call, { ...idOf(call), nmae: 'x' });
      const { data } = first.code === errors.denied.code ? await victim.call(call, { ...idOf(call), nmae: 'x' }) : first;
      expect(data, name(call)).toMatchObject({ fields: { nmae: '未知参数：nmae' } });
    }
  });

  /** The short form sends one hostile value to each parameter, a different one each time. */
  let turn = 0;
  const someOf = <T>(values: readonly T[]): readonly T[] => (isSoak ? values : values.slice(turn++ % values.length).slice(0, 1));

  it('refuses a malformed value in any parameter, and never fails with a server error on a hostile value', {
    tags: 'all',
    timeout: 300_000,
  }, async () => {
    for (const call of endpoints.filter((e) => e !== authCalls.logout && !file(e))) {
      const input = { ...staffKind(call), ...sampleInput(call, fieldsOf(call)), ...idOf(call) };
      for (const key of ownParametersOf(call))
        for (const value of someOf(isInQuery(call) ? hostileTexts : hostile)) {
          const { code } = await attempt(victim, call, { ...input, [key]: value });
          expect(isDeclared(code), `${name(call)} ${key} ${code}`).toBe(true);
          // The call may have ended the session.
          if (code === errors.session_ended.code) victim = await api.login('victim');
          else if (malformedIn(call, key).includes(value)) expect(early, `${name(call)} ${key} ${JSON.stringify(value)}`).toContain(code);
        }
    }
  });
});

const fail = (): never => {
  throw new Error('the victim has no session');
};
