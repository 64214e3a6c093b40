import { group } from '../../kit/page.ts';
import { behaviorAppControl } from './app-control.ts';
import { behaviorAuditSetting } from './audit-setting.ts';
import { behaviorContentLog } from './content-log.ts';
import { behaviorIdentityLog } from './identity-log.ts';
import { behaviorImControl } from './im-control.ts';
import { behaviorKeyword } from './keyword.ts';
import { behaviorShareControl } from './share-control.ts';
import { behaviorUrlFilter } from './url-filter.ts';
import { behaviorUrlLibrary } from './url-library.ts';
import { behaviorUrlLog } from './url-log.ts';

export const behavior = group(
  'behavior',
  ['行为管理', 'Behavior'],
  behaviorAppControl,
  behaviorUrlFilter,
  behaviorUrlLibrary,
  behaviorKeyword,
  behaviorImControl,
  behaviorShareControl,
  behaviorAuditSetting,
  behaviorUrlLog,
  behaviorIdentityLog,
  behaviorContentLog,
);
