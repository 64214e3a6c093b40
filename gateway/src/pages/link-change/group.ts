import { group } from '../../kit/page.ts';
import { linkChangeLock } from './lock.ts';
import { linkChangeLog } from './log.ts';
import { linkChangeManual } from './manual.ts';
import { linkChangeMode } from './mode.ts';
import { linkChangePriority } from './priority.ts';
import { linkChangeQuota } from './quota.ts';
import { linkChangeThreshold } from './threshold.ts';

export const linkChange = group(
  'link_change',
  ['链路切换', 'Link change'],
  linkChangeMode,
  linkChangePriority,
  linkChangeThreshold,
  linkChangeQuota,
  linkChangeLock,
  linkChangeManual,
  linkChangeLog,
);
