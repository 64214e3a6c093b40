import { listModes } from '../../choices.ts';
import { bool, choice, int, ref, rows, text, url } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { unique } from '../../kit/page-rules.ts';

export const behaviorUrlFilter = list('behavior_url_filter', {
  title: ['网址过滤', 'URL filter'],
  summary: [
    '以黑名单或白名单方式应用网址库，加密网站按服务器名称匹配。',
    'Applies site libraries as blacklist or whitelist; encrypted sites are matched by server name.',
  ],
  key: 'name',
  maxRows: 64,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    priority: int(['优先级（0最高）', 'Priority (0 highest)'], { required: true, default: 32, min: 0, max: 63 }),
    mode: choice(['名单方式', 'List mode'], listModes, { required: true, default: 'blacklist' }),
    libraries: rows(
      ['网址库', 'Site libraries'],
      { required: true, min: 1, max: 16 },
      { library: ref(['网址库', 'Library'], 'behavior_url_library', { required: true }) },
    ),
    action: choice(
      ['命中动作', 'On match'],
      { block: ['阻断并提示', 'Block with notice'], redirect: ['重定向', 'Redirect'], log: ['仅记录', 'Log only'] },
      { required: true, default: 'block' },
    ),
    redirect_url: url(['重定向地址', 'Redirect URL'], { required: true, when: ['action', 'redirect'] }),
    match_sni: bool(['匹配HTTPS域名（SNI）', 'Match HTTPS server name (SNI)'], { default: true }),
    match_dns: bool(['匹配DNS查询', 'Match DNS queries'], { default: true }),
    source_group: ref(['源地址组', 'Source address group'], 'network_ip_group'),
    time_group: ref(['生效时间组', 'Time group'], 'network_time_group'),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [unique('priority')],
});
