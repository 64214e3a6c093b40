import { group } from '../../kit/page.ts';
import { dockerContainer } from './container.ts';
import { dockerImage } from './image.ts';
import { dockerLog } from './log.ts';
import { dockerRegistry } from './registry.ts';
import { dockerSetting } from './setting.ts';

export const docker = group('docker', ['容器管理', 'Docker'], dockerSetting, dockerRegistry, dockerImage, dockerContainer, dockerLog);
