import { group } from '../../kit/page.ts';
import { authLocalUser } from './local-user.ts';
import { authLog } from './log.ts';
import { authMac } from './mac.ts';
import { authPolicy } from './policy.ts';
import { authPortal } from './portal.ts';
import { authRadius } from './radius.ts';
import { authTempRelease } from './temp-release.ts';
import { authWhitelist } from './whitelist.ts';

export const auth = group(
  'auth',
  ['认证管理', 'Authentication'],
  authPortal,
  authPolicy,
  authLocalUser,
  authRadius,
  authMac,
  authWhitelist,
  authTempRelease,
  authLog,
);
