import { group } from '../../kit/page.ts';
import { reporterAudit } from './audit.ts';
import { reporterChannel } from './channel.ts';
import { reporterDpi } from './dpi.ts';
import { reporterLog } from './log.ts';
import { reporterTraffic } from './traffic.ts';

export const reporter = group(
  'reporter',
  ['数据上报', 'Reporter'],
  reporterChannel,
  reporterTraffic,
  reporterDpi,
  reporterAudit,
  reporterLog,
);
