import { bool, int, option, text } from '../kit/field.ts';
import { matches, type UploadRule } from '../kit/rule.ts';
import { rollbackTimer } from '../protocol/rollback.ts';
import { rules } from '../rules.ts';

/** Input of the configuration calls. */

export const device_id = option(['设备', 'Device'], 'device/option', { required: true, hidden: true });
/** For a page that the gateway has not reported: ask the gateway. */
export const ask = bool(['请网关上报', 'Ask the gateway']);
export const pageKey = matches('page_key', /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/, ['页面不存在', 'Page not found']);
export const page = text(['页面', 'Page'], { required: true, max: 64, hidden: true, rules: [pageKey] });
export const rev = int(['版本', 'Revision'], { required: true });
export const note = text(['说明', 'Note'], { rules: [rules.no_quotes], max: 128 });
export const keep = int(['失联自动回退（秒）', 'Rollback timer (s)'], {
  default: rollbackTimer.default,
  rules: [
    {
      name: 'keep',
      text: ['0（不启用）或30到600秒', '0 (off) or 30 to 600 seconds'],
      test: (v) => v === 0 || (Number(v) >= rollbackTimer.min && Number(v) <= rollbackTimer.max),
    },
  ],
});

/** The largest file of any page; the field itself can be stricter. */
export const anyFile: UploadRule = {
  name: 'config_file',
  text: ['文件不能超过2 GB，文件名最多128个字符', 'At most 2 GB; file name at most 128 characters'],
  accept: [],
  maxBytes: 2 * 1024 ** 3,
  maxName: 128,
};
/** A file in a document; the content is stored separately under its hash. */
export interface NamedFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}
