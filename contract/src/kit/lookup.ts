import { limits } from '../limits.ts';
import { batchIds } from './batch.ts';
import { choice, int, options, text } from './field.ts';

/** Lookups of long tables: the console searches by keyword, and requests the names of chosen rows. */
export const searchedLookups: ReadonlySet<string> = new Set([
  'device/option',
  'device/group/option',
  'user/option',
  'recharge_card_rule/option',
]);

/** What the option is chosen for. The server then lists only acceptable rows. */
const lookupSubject = [
  { id: 'account', label: ['上网账号', 'Online accounts'] },
  { id: 'device', label: ['设备', 'Devices'] },
  { id: 'group', label: ['设备组', 'Device groups'] },
  { id: 'config', label: ['开户配置', 'Opening configurations'] },
  { id: 'package', label: ['套餐', 'Packages'] },
  { id: 'card', label: ['充值卡', 'Recharge cards'] },
  { id: 'file', label: ['文件', 'Files'] },
  { id: 'docker', label: ['Docker采集', 'Docker information'] },
  { id: 'template', label: ['配置模板', 'Configuration templates'] },
  { id: 'notice', label: ['公告', 'Notices'] },
  { id: 'staff', label: ['VNO账号', 'VNO accounts'] },
] as const;

/** The subject, and its rows: those of a batch, or the edited one. */
export const subjectInput = {
  subject: choice(['用途', 'Chosen for'], lookupSubject),
  ids: batchIds,
  id: int(['编号', 'ID']),
};
export const bySubject = ['ids', 'id'] as const;

/** Input that narrows such a lookup. Without it the first 10,000 rows are returned, as by every lookup. */
export const lookupInput = {
  keyword: text(['关键字', 'Keyword'], { max: 128 }),
  chosen: options(['已选数据', 'Chosen rows'], ''),
  limit: int(['条数', 'Rows'], { rules: [] }),
};

/** spec §7: a lookup is requested with a page and a size. A tree that is a lookup too returns all of it. */
export const lookupPage = { page: int(['页码', 'Page']), limit: int(['条数', 'Rows']) };

/** Rows per search. */
export const lookupRows = 50;
export const lookupLimit = limits.optionLimit;
