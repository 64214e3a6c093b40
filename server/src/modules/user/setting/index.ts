import { settingCalls as calls } from '@farlink/contract/user/setting.ts';
import { bind } from '../../../kit/http/serve.ts';
import { changeSetting, changeSettings } from './change-setting.ts';
import { listSettings, readSettings, settingOptions } from './read-setting.ts';

export const settingBindings = [
  bind(calls.list, listSettings),
  bind(calls.values, readSettings),
  bind(calls.option, settingOptions),
  bind(calls.update, changeSettings),
  bind(calls.updateOne, changeSetting),
];
