import { type RemoteService, remoteCalls } from '@farlink/contract/device/remote.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { markActivity } from '../../../kit/activity.ts';
import { call } from '../../../kit/call.ts';
import { t } from '../../../kit/lang.ts';
import { notify } from '../../../kit/notify.tsx';

const blocked: Text = ['浏览器阻止了新窗口，请允许本站打开新窗口', 'The browser blocked the new window; allow this site to open windows'];
const opening: Text = ['正在打开…', 'Opening…'];

const lookMs = 60_000;

/** Somebody who works on a page behind a gateway does not click here, and is not away all the same. */
const watchUse = (id: number) => {
  let seen = 0;
  const look = async () => {
    const { state, active_at } = await call(remoteCalls.read, { id }, { silent: true, overlay: false });
    if (state === 'ended' || state === 'failed') return clearInterval(timer);
    if (active_at > seen) markActivity();
    seen = active_at;
  };
  const timer = setInterval(() => void look().catch(() => clearInterval(timer)), lookMs);
};

/** Opens what is behind a gateway in a tab of its own. The tab comes first: a browser lets a click open one, and nothing else. */
export const openRemote = async (service: RemoteService, device: AnyRow) => {
  const tab = window.open('', '_blank');
  if (!tab) return notify.error(t(blocked));
  tab.document.title = t(opening);
  try {
    const { id, url } = await call(remoteCalls[service], { id: device.id });
    tab.opener = null;
    tab.location.replace(new URL(url, location.origin));
    if (service !== 'telnet') watchUse(id);
  } catch (error) {
    tab.close();
    throw error;
  }
};
