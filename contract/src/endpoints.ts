import { authorizationCalls } from './advanced/authorization.ts';
import { authCalls } from './auth/auth.ts';
import { deviceCalls } from './device/device.ts';
import { exportCalls } from './export/export.ts';
import type { Endpoint } from './kit/endpoint.ts';
import { logCalls } from './log/operator-log.ts';
import { extraCalls, packageCalls } from './package/package.ts';
import { applicationCalls, policyCalls } from './package/template.ts';
import { staffRoles, vnoRoles } from './permission/role.ts';
import { staffCalls } from './permission/sub-account.ts';
import { vnoCalls } from './vno/vno.ts';
import { vnoAccountCalls } from './vno/vno-account.ts';
import { prefixCalls } from './vno/vno-prefix.ts';

/** Every call of the system, flat. */
export const endpoints: readonly Endpoint[] = [
  authCalls,
  vnoCalls,
  vnoAccountCalls,
  vnoRoles.calls,
  prefixCalls,
  staffCalls,
  staffRoles.calls,
  authorizationCalls,
  packageCalls,
  extraCalls,
  applicationCalls,
  policyCalls,
  deviceCalls,
  logCalls,
  exportCalls,
].flatMap((calls): Endpoint[] => Object.values(calls));
