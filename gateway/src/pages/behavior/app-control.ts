import { accountTypesOrAny, appCategories } from '../../choices.ts';
import { bool, choice, int, ref, rows, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { unique } from '../../kit/page-rules.ts';
import { appId } from '../../kit/patterns.ts';

export const behaviorAppControl = list('behavior_app_control', {
  title: ['应用控制', 'Application control'],
  summary: [
    '按地址组、账号类型、时间和链路放行或阻断应用；属设备本地策略，优先级最低。',
    'Allow or block applications by group, account type, time and link; these are the device-local, lowest-ranking policies.',
  ],
  key: 'name',
  maxRows: 128,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    priority: int(['优先级（0最高）', 'Priority (0 highest)'], { required: true, default: 32, min: 0, max: 63 }),
    action: choice(['动作', 'Action'], { block: ['阻断', 'Block'], allow: ['放行', 'Allow'] }, { required: true, default: 'block' }),
    category: choice(['应用分类', 'Category'], appCategories, { required: true, default: 'video' }),
    applications: rows(
      ['应用协议', 'Application protocols'],
      { max: 200 },
      { app_id: text(['协议编号', 'Protocol ID'], { required: true, max: 10, like: appId }) },
    ),
    source_group: ref(['源地址组', 'Source address group'], 'network_ip_group'),
    account_type: choice(['账号类型', 'Account type'], accountTypesOrAny, { default: 'any' }),
    link: ref(['仅在链路生效（空为全部）', 'Only on link (empty = all)'], 'network_wan'),
    time_group: ref(['生效时间组', 'Time group'], 'network_time_group'),
    log: bool(['记录日志', 'Log hits'], { default: false }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [unique('priority')],
});
