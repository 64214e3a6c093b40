import { type RejectReason, rejectReason } from '@farlink/contract/user/choices.ts';
import { codes } from '@farlink/gateway/radius/attributes.ts';
import type { Attribute } from '@farlink/gateway/radius/packet.ts';
import { attribute } from '@farlink/gateway/radius/values.ts';
import { sql } from 'kysely';
import { preparedByIds } from '../db/prepare.ts';
import { type Access, accessOf } from '../domain/access/access.ts';
import { type Grant, type Granted, grantOf, pendingUsage } from '../domain/radius/grant.ts';
import { grantAttributes } from '../domain/radius/grant-attributes.ts';
import type { Db } from '../kit/deps.ts';
import { type AuditDeps, auditEnds } from './audit-sessions.ts';
import { newClass } from './class.ts';
import { interimOf } from './interim.ts';
import { isMethodOn, type Login } from './login-request.ts';
import { type Logins, loadLogins } from './logins.ts';
import { loadOneTimePasswords, type OneTimePasswords } from './one-time-passwords.ts';
import type { PasswordCache } from './password-cache.ts';
import type { Nas } from './registry.ts';

const byIds = sql.raw(preparedByIds);

/** Reply to a login: its code and attributes. */
export interface LoginReply {
  readonly code: number;
  readonly attributes: readonly Attribute[];
}

type Decision = { readonly reason: RejectReason } | { readonly grant: Grant; readonly success?: Buffer | undefined };

/** A Reject has a text and nothing else. An unknown account looks like a wrong password. */
const rejectWith = (nas: Nas, reason: RejectReason): LoginReply => {
  const [zh, en] = rejectReason.find(({ id }) => id === reason)?.label ?? ['', ''];
  return { code: codes.accessReject, attributes: [attribute('Reply-Message', nas.language === 'zh' ? zh : en)] };
};

/** spec §5: MAC, IP and VLAN of an account. Many NAS assign the address later, so a missing address is set by the reply and not compared. */
const bindingFault = (access: Access, { nas, request }: Login): RejectReason | undefined => {
  const isBound = access.device_id !== null || access.device_group_id !== null;
  const isHere = access.device_id === null ? access.device_group_id === nas.site_group_id : access.device_id === nas.site_id;
  if (nas.site_id !== null && isBound && !isHere) return 'wrong_device';
  if (access.bind_mac && access.bind_mac.toLowerCase().replaceAll('-', ':') !== request.mac) return 'wrong_mac';
  if (access.bind_ip && request.ip !== undefined && access.bind_ip !== request.ip) return 'wrong_ip';
  return access.vlan_id !== null && access.vlan_id !== request.vlan ? 'wrong_vlan' : undefined;
};

interface Secrets {
  readonly passwords: PasswordCache;
  readonly oneTime: OneTimePasswords;
}

/** Proof by the password of the account, or by a one-time password of the portal. */
const proveLogin = (access: Access, login: Login, { passwords, oneTime }: Secrets) => {
  const password = passwords.passwordOf(access.password);
  const proof = password === undefined ? { isRight: false } : login.request.prove(password);
  return proof.isRight ? proof : oneTime.prove(access.id, login);
};

const decide = (access: Access, login: Login, logins: Logins, secrets: Secrets, grantNow: () => Granted): Decision => {
  const { nas, request } = login;
  if (!isMethodOn(nas, request.method)) return { reason: 'method_off' };
  const { isRight, success } = proveLogin(access, login, secrets);
  if (!isRight) return { reason: 'wrong_password' };
  if (access.blocked) return { reason: access.blocked };
  const granted = grantNow();
  if ('refused' in granted) return { reason: granted.refused };
  const fault = bindingFault(access, login);
  if (fault) return { reason: fault };
  return logins.mayLogIn(access, login) ? { grant: granted.grant, success } : { reason: 'too_many' };
};

const acceptWith = (login: Login, access: Access, grant: Grant, token: string, success?: Buffer): LoginReply => {
  const { nas, request } = login;
  return {
    code: codes.accessAccept,
    attributes: [
      attribute('Class', Buffer.from(token, 'latin1')),
      attribute('Acct-Interim-Interval', interimOf(nas, grant)),
      ...(grant.seconds === null ? [] : [attribute('Session-Timeout', grant.seconds)]),
      ...(grant.idle_s === null ? [] : [attribute('Idle-Timeout', grant.idle_s)]),
      ...(access.bind_ip && request.ip === undefined && /^\d+(\.\d+){3}$/.test(access.bind_ip)
        ? [attribute('Framed-IP-Address', access.bind_ip)]
        : []),
      ...grantAttributes(nas.vendor, grant),
      ...(success ? [attribute('MS-CHAP2-Success', success)] : []),
    ],
  };
};

/** Accounts of these logins, locked in order of id: the row is the lock of the number of logins. */
const lockNames = async (db: Db, logins: readonly Login[]) => {
  const names = [...new Set(logins.map(({ request }) => request.account.toLowerCase()))];
  const { rows } = await sql<{ id: number; name: string }>`${byIds}
    select id, lower(account) as name from subscriber where lower(account) = any(${names}::text[]) order by id for no key update`.execute(
    db,
  );
  return new Map(rows.map(({ id, name }) => [name, id]));
};

interface Rejection {
  readonly subscriber_id: number;
  readonly device_id: number | null;
  readonly nas_id: number;
  readonly reason: RejectReason;
  readonly mac: string | null;
  readonly create_at: number;
}

/** Decides logins in the caller's transaction. The replies are sent after the commit. */
export const authenticate = async (db: Db, deps: AuditDeps, passwords: PasswordCache, logins: readonly Login[]): Promise<LoginReply[]> => {
  const now = deps.clock.now();
  const ids = await lockNames(db, logins);
  const access = await accessOf(db, [...ids.values()], now);
  const pending = await pendingUsage(db, [...ids.values()]);
  const open = await loadLogins(db, [...ids.values()], now);
  const oneTime = await loadOneTimePasswords(db, { ids: [...ids.values()], logins, passwords }, now);
  const rejections: Rejection[] = [];
  const replies = logins.map((login): LoginReply => {
    const { nas, request } = login;
    const found = access.get(ids.get(request.account.toLowerCase()) ?? 0);
    if (!found || found.agent_id !== nas.agent_id)
      return rejectWith(nas, isMethodOn(nas, request.method) ? 'wrong_password' : 'method_off');
    const decision = decide(found, login, open, { passwords, oneTime }, () => grantOf(found, now, pending.get(found.id)));
    if ('reason' in decision) {
      const { reason } = decision;
      rejections.push({
        subscriber_id: found.id,
        device_id: nas.device_id,
        nas_id: nas.id,
        reason,
        mac: request.mac ?? null,
        create_at: now,
      });
      return rejectWith(nas, reason);
    }
    const { token, class: text } = newClass(found.id);
    open.reserve(found, login, token, decision.grant);
    return acceptWith(login, found, decision.grant, text, decision.success);
  });
  await auditEnds(db, deps, await open.store(db));
  await oneTime.store(db);
  if (rejections.length > 0) await db.insertInto('login_rejection').values(rejections).execute();
  return replies;
};
