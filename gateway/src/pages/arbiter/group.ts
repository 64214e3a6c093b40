import { group } from '../../kit/page.ts';
import { arbiterDecisionLog } from './decision-log.ts';
import { arbiterDualAntenna } from './dual-antenna.ts';
import { arbiterFlowClass } from './flow-class.ts';
import { arbiterPolicy } from './policy.ts';
import { arbiterProbe } from './probe.ts';
import { arbiterSetting } from './setting.ts';
import { arbiterStatus } from './status.ts';

export const arbiter = group(
  'arbiter',
  ['链路仲裁', 'Arbiter'],
  arbiterSetting,
  arbiterFlowClass,
  arbiterPolicy,
  arbiterProbe,
  arbiterDualAntenna,
  arbiterStatus,
  arbiterDecisionLog,
);
