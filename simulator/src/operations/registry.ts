import { bindingOperations } from './binding.ts';
import { diagnosisOperations } from './diagnosis.ts';
import { dockerOperations } from './docker.ts';
import { dpiOperations } from './dpi.ts';
import { fileOperations } from './files.ts';
import { networkOperations } from './network.ts';
import type { Run } from './operation.ts';
import { pageOperations } from './pages.ts';
import { remoteOperations } from './remote.ts';
import { systemOperations } from './system.ts';

/** All operations of a simulated gateway; others get the reply 'unsupported'. */
export const operations: Readonly<Record<string, Run>> = {
  ...systemOperations,
  ...fileOperations,
  ...dockerOperations,
  ...networkOperations,
  ...bindingOperations,
  ...remoteOperations,
  ...diagnosisOperations,
  ...pageOperations,
  ...dpiOperations,
};
