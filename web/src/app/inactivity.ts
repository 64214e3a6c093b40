import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { t } from '../kit/chrome/lang.ts';
import { activityKey, markActivity } from '../kit/live/activity.ts';
import { readSession } from '../kit/net/session.ts';
import { currentPath, logout } from './end-session.ts';

const expired: Text = ['登录超时，请重新登录', 'The login timeout, please login again'];

const isIdle = (last: number, now: number) => now - last > limits.inactivityMs;

/** spec §4: activity is any click or navigation; the check stops when there is no token. */
export const watchInactivity = () => {
  markActivity();
  window.addEventListener('click', markActivity, true);
  const timer = setInterval(() => {
    if (!readSession()) clearInterval(timer);
    else if (isIdle(Number(localStorage.getItem(activityKey)), Date.now())) {
      clearInterval(timer);
      void logout({ logoutMessage: t(expired), returnPath: currentPath() });
    }
  }, limits.inactivityCheckMs);
};
