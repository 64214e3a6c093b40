import { group } from '../../kit/page.ts';
import { qosAppLimit } from './app-limit.ts';
import { qosClass } from './class.ts';
import { qosGlobal } from './global.ts';
import { qosRule } from './rule.ts';
import { qosStatus } from './status.ts';
import { qosUserLimit } from './user-limit.ts';

export const qos = group('qos', ['流量控制', 'QoS'], qosGlobal, qosClass, qosRule, qosUserLimit, qosAppLimit, qosStatus);
