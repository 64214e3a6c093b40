import { randomBytes } from 'node:crypto';
import { auditAccessLogCalls } from '@farlink/contract/audit/audit-access-log.ts';
import { auditHoldCalls } from '@farlink/contract/audit/audit-hold.ts';
import { auditPage } from '@farlink/contract/audit/choices.ts';
import type { Api, Caller } from './api.ts';
import { storeAuditRows } from './audit-rows.ts';

interface Victim {
  readonly by: Caller;
  readonly agentId: number;
  readonly deviceId: number;
  readonly mark: string;
}

/** Rows of the victim in all audit data, a hold and an erasure. */
export const makeVictimAudit = async (api: Api, { by, agentId, mark }: Victim) => {
  const sn = `${mark}-1`;
  const common = { at: api.clock.now() - 60, acc: mark, ip: '10.1.0.7', mac: 'aa:bb:cc:00:11:22' };
  const salt = randomBytes(16).toString('hex');
  await storeAuditRows(api, sn, 'a_auth', [{ ...common, act: 'login', pr: '1-2' }]);
  await storeAuditRows(api, sn, 'a_id', [{ ...common, app: mark, id: mark }]);
  await storeAuditRows(api, sn, 'a_url', [{ ...common, h: mark, u: `http://${mark}`, t: mark }]);
  await storeAuditRows(api, sn, 'a_bbs', [{ ...common, f: mark, act: 'post', au: mark, t: mark, c: mark, salt }]);
  await storeAuditRows(api, sn, 'a_mail', [{ ...common, dir: 'send', from: `a@${mark}`, to: `b@${mark}`, sub: mark, salt }]);
  await storeAuditRows(api, sn, 'a_term', [{ ...common, os: 'other', br: mark }]);
  for (const { id } of auditPage) await by.call(auditAccessLogCalls.giveReason, { page: id, reason: `${mark} reason` });
  await api.db
    .insertInto('audit_erasure')
    .values({ agent_id: agentId, subscriber_id: 1, account: mark, reason: mark, key_count: 1, operator: mark, create_at: 1 })
    .execute();
  const hold = await by.call(auditHoldCalls.create, { vno_id: agentId, from_at: 1, reason: `${mark} hold` });
  return { rows: { 'audit/hold/{id}/release': hold.data.id, 'audit/hold/{id}/export': hold.data.id } };
};
