import type { Binding } from './kit/serve.ts';
import { advancedBindings } from './modules/advanced/index.ts';
import { authBindings } from './modules/auth/index.ts';
import { deviceBindings } from './modules/device/index.ts';
import { exportBindings } from './modules/export/index.ts';
import { logBindings } from './modules/log/index.ts';
import { packageBindings } from './modules/package/index.ts';
import { permissionBindings } from './modules/permission/index.ts';
import { vnoBindings } from './modules/vno/index.ts';

/** Every call with its verb. */
export const bindings: readonly Binding[] = [
  ...authBindings,
  ...vnoBindings,
  ...permissionBindings,
  ...advancedBindings,
  ...packageBindings,
  ...deviceBindings,
  ...logBindings,
  ...exportBindings,
];
