import { group } from '../../kit/page.ts';
import { fileDistribution } from './distribution.ts';
import { fileLog } from './log.ts';
import { fileSetting } from './setting.ts';
import { fileShare } from './share.ts';

export const file = group('file', ['文件管理', 'File'], fileShare, fileDistribution, fileSetting, fileLog);
