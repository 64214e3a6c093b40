import { Readable } from 'node:stream';
import { auditAccessLogCalls } from '@farlink/contract/audit/audit-access-log.ts';
import { auditPage } from '@farlink/contract/audit/choices.ts';
import { endpoints } from '@farlink/contract/endpoints.ts';
import { billCalls } from '@farlink/contract/finance/bill.ts';
import { receiptCalls } from '@farlink/contract/finance/receipt.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { extraCalls } from '@farlink/contract/package/extra-package.ts';
import { packageCalls } from '@farlink/contract/package/package.ts';
import { applicationCalls, policyCalls } from '@farlink/contract/package/package-template.ts';
import { pages } from '@farlink/contract/pages.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import { expect } from 'vitest';
import { postSale } from '../src/domain/ledger/post-sale.ts';
import { grantPackages } from '../src/domain/metering/store/grant-packages.ts';
import { openFileStore } from '../src/kit/files/open-file-store.ts';
import { allPages, type Caller, grantsOf, inputOf, type Reply, startApi } from './api.ts';
import { subscriberRow } from './subscriber.ts';
import { makeVictimAnnouncement } from './walk-announcement.ts';
import { makeVictimAudit } from './walk-audit.ts';
import { makeVictimCash } from './walk-cash.ts';
import { makeVictimConfig, makeVictimRun } from './walk-config.ts';
import { makeDangerSite } from './walk-danger-site.ts';
import { makeVictimDetail } from './walk-detail.ts';
import { makeVictimFiles } from './walk-files.ts';
import { makeVictimLogs } from './walk-logs.ts';
import { makeVictimPortal } from './walk-portal.ts';
import { makeVictimRadius } from './walk-radius.ts';
import { makeVictimRemote } from './walk-remote.ts';
import { makeVictimTempRelease } from './walk-temp-release.ts';
import { makeVictimTemplate } from './walk-template.ts';
import { makeVictimTraffic } from './walk-traffic.ts';
import { makeBranches, makeRole, makeStaff, makeVno, makeVnoRole } from './world.ts';

/** Part of each name of the victim, so that any reply reveals a leak. */
export const mark = 'ZETA';

export const nameOf = (call: Endpoint) => `${call.method} ${call.path}`;
export const guarded = endpoints.filter((e) => Array.isArray(e.access));
/** Platform-only pages: always denied to a VNO, regardless of its role. */
export const forPlatform = (call: Endpoint) =>
  Array.isArray(call.access) && call.access.every((key: string) => pages.find((p) => p.permission === key)?.platform === 'admin');
/** A stream reply does not end; it has a separate test. */
export const isFile = (call: Endpoint) => call.kind === 'file' || call.kind === 'stream' || call.path === 'captcha';
export const isInQuery = ({ method }: Endpoint) => method === 'GET' || method === 'DELETE';
/** Staff lists need a kind. */
export const staffKind = (call: Endpoint) => (call.path.startsWith('customer') ? { kind: 'sub' } : {});
/** Inputs of which the call takes different parameters. */
export const distinctInputs = (call: Endpoint, inputs: readonly Record<string, unknown>[]) => [
  ...new Map(inputs.map((input) => [JSON.stringify(inputOf(call, input)), input])).values(),
];

export const attempt = async (by: Caller, call: Endpoint, input: Record<string, unknown>): Promise<Reply> => {
  const reply = await by.call(call, inputOf(call, input));
  expect(reply.status, `${nameOf(call)} ${JSON.stringify(reply)}`).not.toBe(500);
  return reply;
};

/** A VNO with a row for each call, and the callers that walk over all calls. */
export const openWalk = async () => {
  const api = await startApi();
  const { admin, west } = await makeBranches(api);
  const stranger = west;
  const role = await makeVnoRole(admin, 'Victim');
  await makeVno(admin, 'victim', role, { name: `${mark} root` });
  const victim = await api.login('victim');
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
  const bill = await api.db.transaction().execute((db) => postSale(db, seller, sale, api.clock.now()));
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
  const notices = await makeVictimAnnouncement(api, { agentId: childId, deviceId: device.id, subscriberId: subscriber.id, mark });
  const portals = await makeVictimPortal(api, { agentId: childId, portalId: portal.id, deviceId: device.id, mark });
  const traffic = await makeVictimTraffic(api, { by: victim, agentId: childId, deviceId: device.id, mark });
  const audit = await makeVictimAudit(api, { by: victim, agentId: childId, deviceId: device.id, mark });
  const danger = await makeDangerSite(api, mark);
  const cash = await makeVictimCash(api, { agentId: victim.session?.agent_id ?? 0, childId, clerkId: staffId, mark });
  const rows: Record<string, number> = {
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
    ...Object.fromEntries(['', '/rotate', '/reveal', '/rejection', '/coa', '/online'].map((part) => [`nas/{id}${part}`, radius.nasId])),
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
  const fields: Record<string, number> = {
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
  const without = await api.login('zeta_none');
  const read = await makeRole(victim, 'read', grantsOf(allPages, '10'));
  await makeStaff(victim, 'zeta_read', read);
  await makeVictimConfig(api, { deviceId: device.id, mark });
  const reader = await api.login('zeta_read');
  // Audit data is shown after a reason was given.
  for (const by of [reader, stranger])
    for (const { id } of auditPage) await by.call(auditAccessLogCalls.giveReason, { page: id, reason: 'Walk over all calls' });

  const idOf = (call: Endpoint) => {
    if (!call.path.includes('{')) return {};
    const id = rows[call.path];
    if (id === undefined) throw new Error(`the walk knows no row for ${nameOf(call)}: add one`);
    // A revision of the row.
    return { id, ...(call.path.includes('{rev}') && { rev: 1 }) };
  };
  /** The objects in `ids`: subscribers, or devices. */
  const fieldsOf = (call: Endpoint) => (/^(device|firmware)\b/.test(call.path) ? { ...fields, ids: device.id } : fields);
  /** A receipt is identified by its bill. */
  const billOf = (call: Endpoint) => (call === receiptCalls.read ? { bill_no: bill.bill_no } : {});
  return { api, stranger, victim, without, reader, rows, fields, idOf, fieldsOf, billOf };
};

export type Walk = Awaited<ReturnType<typeof openWalk>>;
