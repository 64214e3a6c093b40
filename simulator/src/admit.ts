import type { LoginRefusal } from '@farlink/gateway/protocol/account.ts';
import type { Accounts } from './accounts.ts';
import { bindingRefusal } from './login-check.ts';
import { normalMac, type Session } from './session.ts';
import type { Users } from './users.ts';

interface AdmitGateway {
  readonly accounts: Accounts;
  readonly users: Users;
  now(): number;
}

interface Client {
  readonly acc: string;
  readonly mac: string;
  readonly ip?: string | undefined;
}

/**
 * Opens the session of a client whose login the console has checked: all checks of a login except that of the password. A client has one
 * session, so that of another account on the same MAC ends.
 */
export const admitClient = (gateway: AdmitGateway, { acc, mac: rawMac, ip }: Client): Session | LoginRefusal => {
  const { accounts, users } = gateway;
  const mac = normalMac(rawMac);
  const now = gateway.now();
  const onSameMac = users.sessions.filter((session) => session.mac === mac);
  const open = onSameMac.find((session) => session.acc === acc);
  if (open) return open;
  const entry = accounts.get(acc, now)?.entry;
  if (!entry) return 'unknown';
  const service = accounts.service(acc, now);
  if (service?.mode === 'stop') return service.reason;
  const refusal = bindingRefusal(entry, { mac, ip });
  if (refusal) return refusal;
  if (users.sessions.filter((session) => session.acc === acc).length >= entry.al) return 'too_many';
  for (const { sid } of onSameMac) users.signOut(sid, 'user');
  return users.signIn(acc, { mac, ip: ip ?? entry.ip, vlan: entry.vl });
};
