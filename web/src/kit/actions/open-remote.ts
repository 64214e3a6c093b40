import { type DirectService, remoteCalls } from '@farlink/contract/device/remote.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../chrome/lang.ts';
import { notify } from '../chrome/notify.tsx';
import { markActivity } from '../live/activity.ts';
import { call } from '../net/call.ts';

const blocked: Text = ['浏览器阻止了新窗口，请允许本站打开新窗口', 'The browser blocked the new window. Allow pop-ups for this site.'];
const opening: Text = ['正在打开…', 'Opening…'];

const pollMs = 60_000;

/** Work on a remote page counts as activity here. */
const watchUse = (id: number) => {
  let lastActiveAt = 0;
  const poll = async () => {
    const { state, active_at } = await call(remoteCalls.read, { id }, { silent: true, overlay: false });
    if (state === 'ended' || state === 'failed') return clearInterval(timer);
    if (active_at > lastActiveAt) markActivity();
    lastActiveAt = active_at;
  };
  const timer = setInterval(() => void poll().catch(() => clearInterval(timer)), pollMs);
};

/** Opens a URL in a new tab. The tab is opened first, because browsers allow it only during the click. */
export const openInTab = async <T extends { readonly url: string }>(request: () => Promise<T>): Promise<T | undefined> => {
  const tab = window.open('', '_blank');
  if (!tab) {
    notify.error(t(blocked));
    return undefined;
  }
  tab.document.title = t(opening);
  try {
    const opened = await request();
    tab.opener = null;
    tab.location.replace(new URL(opened.url, location.origin));
    return opened;
  } catch (error) {
    tab.close();
    throw error;
  }
};

/** Opens a service behind a gateway. */
export const openRemote = async (service: DirectService, device: AnyRow) => {
  const opened = await openInTab(() => call(remoteCalls[service], { id: device.id }));
  if (opened && service !== 'telnet') watchUse(opened.id);
};
