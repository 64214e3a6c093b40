import { group } from '../../kit/page.ts';
import { hiddenDebug } from './debug.ts';
import { hiddenFactory } from './factory.ts';
import { hiddenLicense } from './license.ts';
import { hiddenRawConfig } from './raw-config.ts';

export const hidden = group('hidden', ['隐藏页面', 'Hidden pages'], hiddenFactory, hiddenLicense, hiddenDebug, hiddenRawConfig);
