import { settingCalls as calls } from '@farlink/contract/user/setting.ts';
import { bindAll } from '../../../kit/http/serve.ts';
import { changeSetting, changeSettings } from './change-setting.ts';
import { listSettings, readSettings, settingOptions } from './read-setting.ts';

export const settingBindings = [
  ...bindAll(calls, { list: listSettings, values: readSettings, option: settingOptions, update: changeSettings, updateOne: changeSetting }),
];
