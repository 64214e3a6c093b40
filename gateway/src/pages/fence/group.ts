import { group } from '../../kit/page.ts';
import { fenceArea } from './area.ts';
import { fenceLog } from './log.ts';
import { fencePolicy } from './policy.ts';
import { fenceSetting } from './setting.ts';
import { fenceStatus } from './status.ts';

export const fence = group('fence', ['电子围栏', 'Fence'], fenceArea, fencePolicy, fenceSetting, fenceStatus, fenceLog);
