import { authCalls, type Session as LoginReply } from '@farlink/contract/auth/auth.ts';
import { errors } from '@farlink/contract/errors.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { brandCalls } from '@farlink/contract/market/brand.ts';
import { type ReactNode, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { setBrand } from '../kit/chrome/brand.ts';
import { t } from '../kit/chrome/lang.ts';
import { notify } from '../kit/chrome/notify.tsx';
import { fetchPasswordRule, setPasswordRule } from '../kit/form/password-rule.ts';
import { CallError, call, onSessionEnded } from '../kit/net/call.ts';
import { adoptSession, clearSession, readSession, type Session, shareSession, writeSession } from '../kit/net/session.ts';
import { AlertBox } from './alert-box.tsx';
import { currentPath, endSession, keepReturnPath, takeLogoutMessage } from './end-session.ts';
import { ChunkError, importRetry, mayReload } from './load-chunk.ts';

const unreachable: Text = ['无法连接服务器', 'Cannot reach the server'];
const checkNetwork: Text = ['请检查网络连接后重试。', 'Check the network connection and try again.'];
const retry: Text = ['重试', 'Try again'];
const loggedIn: Text = ['登录成功', 'Logged in'];
const loggedOutElsewhere: Text = ['您已在其他标签页退出登录', 'You were logged out in another tab'];

let root: Root | undefined;
/** The first call replaces the loading screen of index.html. */
const show = (node: ReactNode) => {
  const element = document.getElementById('root');
  if (!element) throw new Error('no #root');
  root ??= createRoot(element);
  root.render(<StrictMode>{node}</StrictMode>);
};

const showUnreachable = () =>
  show(<AlertBox isFullPage title={t(unreachable)} text={t(checkNetwork)} action={t(retry)} onAction={() => location.reload()} />);

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

const fetchLogin = () => importRetry(() => import('./login/login-page.tsx'));
const fetchConsole = () => importRetry(() => import('./console.tsx'));

/** Prefetches the console while the operator types. A failure is ignored here and handled when the console is opened. */
const prefetch = () => void fetchConsole().catch(() => undefined);

const fetchAll = () => Promise.all([call(authCalls.profile, {}, { silent: true }), fetchConsole()]);

/** Session and profile are loaded before the router is created, so all permitted routes exist at the first lookup. */
const openConsole = async (session: Session, ready = fetchAll()) => {
  try {
    const [profile, { consoleOf }] = await ready;
    setBrand({ name: profile.agent_name, logo: profile.agent_logo });
    setPasswordRule(profile.password_rule);
    show(consoleOf(session, profile));
  } catch (error) {
    if (error instanceof CallError && error.code === errors.session_ended.code) return;
    if (error instanceof ChunkError && mayReload(currentPath())) return location.reload();
    showUnreachable();
  }
};

/** spec §4: success shows a message; after 0.8 s the console opens notFound, which redirects to the first permitted page. */
const openAfterLogin = async ({ remember_token: _, ...session }: LoginReply) => {
  writeSession(session);
  notify.success(t(loggedIn));
  const ready = fetchAll();
  ready.then(([profile, { prefetchFirst }]) => prefetchFirst(session, profile)).catch(() => undefined);
  await wait(limits.loginRedirectMs);
  history.replaceState(null, '', '/notFound');
  await openConsole(session, ready);
};

/** spec §2: /login is the only public path. Opening it ends the session of this tab. */
const restoreSession = async (): Promise<Session | null> => {
  if (location.pathname === '/' || location.pathname === '/login') {
    clearSession();
    if (location.pathname === '/') history.replaceState(null, '', `/login${location.search}`);
    return null;
  }
  const session = readSession() ?? (await adoptSession());
  if (!session) {
    keepReturnPath(currentPath());
    history.replaceState(null, '', '/login');
  }
  return session;
};

/** A remote token is valid once and must not stay in the browser history. */
const takeRemoteData = (): string | null => {
  const data = new URLSearchParams(location.search).get('remoteData');
  if (data !== null) history.replaceState(null, '', '/login');
  return data?.replaceAll(' ', '+') ?? null;
};

/** The brand of this host, before anything is shown. If the call fails, the login page shows no brand instead of a wrong one. */
const loadBrand = async () => {
  const brand = await call(brandCalls.read, {}, { silent: true, overlay: false }).catch(() => null);
  if (brand) setBrand(brand);
};

const openLogin = async () => {
  void fetchPasswordRule();
  const { LoginPage } = await fetchLogin();
  show(<LoginPage onSession={(session) => void openAfterLogin(session)} />);
  window.addEventListener('input', prefetch, { once: true });
  const logoutMessage = takeLogoutMessage();
  if (logoutMessage !== null) notify.warning(logoutMessage);
  const remoteData = takeRemoteData();
  if (remoteData === null) return;
  // The error is already shown; the login page stays.
  const session = await call(authCalls.remote, { remoteData }).catch(() => null);
  if (session) await openAfterLogin(session);
};

export const boot = async () => {
  onSessionEnded((logoutMessage) => endSession({ logoutMessage, returnPath: currentPath() }));
  shareSession((logoutMessage) =>
    endSession(logoutMessage === undefined ? { logoutMessage: t(loggedOutElsewhere) } : { logoutMessage, returnPath: currentPath() }),
  );
  const found = restoreSession();
  const branded = found.then((session) => (session ? undefined : Promise.all([loadBrand(), fetchLogin()])));
  try {
    const [session] = await Promise.all([found, wait(limits.loadingMs), branded]);
    await (session ? openConsole(session) : openLogin());
  } catch (error) {
    if (!(error instanceof ChunkError)) throw error;
    showUnreachable();
  }
};
