import { calls, shape } from '../kit/endpoint.ts';
import { document } from '../kit/field.ts';
import { configAccess } from './config.ts';
import { device_id, pageOfGateway } from './page-field.ts';

export const wizardCalls = calls('device', configAccess, {
  /** Creates drafts of all pages that the wizard writes; they are reviewed and applied together. */
  write: {
    kind: 'command',
    path: 'device/config/wizard',
    summary: ['由配置向导生成草稿', 'Create drafts from a setup guide'],
    input: {
      device_id,
      page: pageOfGateway,
      values: document(['参数', 'Values'], { required: true }),
    },
    shape: shape<{ readonly pages: readonly string[] }>(),
  },
});
