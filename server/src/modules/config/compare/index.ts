import { compareCalls } from '@farlink/contract/config/compare.ts';
import { exchangeCalls } from '@farlink/contract/config/exchange.ts';
import { type Binding, bind, bindAll } from '../../../kit/http/serve.ts';
import { compare } from './compare.ts';
import { exportConfig, importConfig } from './exchange.ts';

export const compareBindings: readonly Binding[] = [
  bind(compareCalls.compare, compare),
  ...bindAll(exchangeCalls, { export: exportConfig, import: importConfig }),
];
