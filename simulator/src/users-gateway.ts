import type { LoginRefusal } from '@farlink/gateway/protocol/account.ts';
import type { Accounts } from './accounts.ts';
import type { GatewayCore } from './gateway-core.ts';
import type { RadiusClient } from './radius/radius-client.ts';
import type { Session } from './session.ts';

export interface UsersGateway extends Pick<GatewayCore, 'sn' | 'boot' | 'fork' | 'now' | 'event' | 'current'> {
  readonly accounts: Accounts;
  readonly bill: 0 | 1 | 2 | 3;
  readonly firmware: { readonly storesAccounts: boolean };
  readonly world: { readonly audit: { login(session: Session): void; logout(session: Session, at: number): void } };
  view(): { readonly uptime: number };
}

export type LoginResult = { readonly session: Session } | { readonly why: LoginRefusal };

/** What a login says of its terminal. */
export type Terminal = Partial<Pick<Session, 'sid' | 'mac' | 'ip' | 'vlan' | 'browses' | 'grant'>>;

export interface UsersOptions {
  /** Sessions of a real login generate traffic. */
  readonly browse: boolean;
  radius(): RadiusClient;
}
