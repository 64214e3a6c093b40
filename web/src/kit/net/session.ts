import type { Session as LoginReply, Profile } from '@farlink/contract/auth/auth.ts';
import type { Me } from '@farlink/contract/kit/page.ts';
import { createContext, useContext } from 'react';

/** spec §3: stored per tab, so that two tabs can have two users. */
export interface Session extends LoginReply {
  /** Set after the first load; afterwards a reload keeps its path (spec §2). */
  readonly login_status?: boolean;
}

const key = 'farlink-session';
const adoptWaitMs = 150;

export const readSession = (): Session | null => {
  const text = sessionStorage.getItem(key);
  return text === null ? null : JSON.parse(text);
};
export const writeSession = (session: Session) => sessionStorage.setItem(key, JSON.stringify(session));
export const clearSession = () => sessionStorage.removeItem(key);

/** Current permissions come from the profile; the session has those of the login. */
export const meOf = (session: Session, profile: Profile): Me => ({
  uid: session.uid,
  agent_id: session.agent_id,
  agent_level: session.agent_level,
  agent_mode: session.agent_mode,
  agent_child_enable: session.agent_child_enable,
  is_admin: session.is_admin,
  permissions: profile.permissions,
  operate_permissions: profile.operate_permissions,
  view_hide_pkg: profile.view_hide_pkg,
});

export const MeContext = createContext<Me | null>(null);

export const useMe = (): Me => {
  const me = useContext(MeContext);
  if (!me) throw new Error('useMe outside of MeContext');
  return me;
};

type Message =
  | { readonly kind: 'ask' }
  | { readonly kind: 'answer'; readonly session: Session; readonly active: number }
  | { readonly kind: 'left'; readonly token: string; readonly farewell?: string | undefined };

const open = () => new BroadcastChannel('farlink-session');
const post = (channel: BroadcastChannel, message: Message) => channel.postMessage(message);

let active = Date.now();

/**
 * Called once at start. Replies to session requests of new tabs, and logs out with the same message when another tab logs out the same token.
 */
export const shareSession = (onLogout: (farewell: string | undefined) => void) => {
  const channel = open();
  for (const event of ['pointerdown', 'keydown', 'focus']) window.addEventListener(event, () => (active = Date.now()), true);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const session = readSession();
    if (!session) return;
    if (data.kind === 'ask') post(channel, { kind: 'answer', session, active });
    if (data.kind === 'left' && data.token === session.token) onLogout(data.farewell);
  };
};

/** Informs other tabs that this token has ended, with the reason if it was forced. */
export const announceLogout = (token: string, farewell: string | undefined) => {
  const channel = open();
  post(channel, { kind: 'left', token, farewell });
  channel.close();
};

/** A tab without a session copies it from the most recently used tab. */
export const adoptSession = (): Promise<Session | null> =>
  new Promise((done) => {
    const channel = open();
    let best: { session: Session; active: number } | undefined;
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'answer' && data.active >= (best?.active ?? 0)) best = data;
    };
    post(channel, { kind: 'ask' });
    setTimeout(() => {
      channel.close();
      if (best) writeSession(best.session);
      done(best?.session ?? null);
    }, adoptWaitMs);
  });
