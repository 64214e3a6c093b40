import { appCategories } from '../../choices.ts';
import { choice, domain, ipv4, mac, ref, text, time, url } from '../../kit/field.ts';
import { log } from '../../kit/page.ts';

export const behaviorUrlLog = log('behavior_url_log', {
  title: ['网站访问记录', 'Site visits'],
  summary: ['查看网站访问记录，含上网账号、终端和处置动作。', 'Sites visited with account, terminal and verdict.'],
  fields: {
    time: time(['时间', 'Time']),
    account: text(['上网账号', 'Account']),
    ip: ipv4(['IP地址', 'IP address']),
    mac: mac(['MAC地址', 'MAC address']),
    host: domain(['域名', 'Host']),
    url: url(['网址', 'URL']),
    category: choice(['分类', 'Category'], appCategories),
    dst_ip: ipv4(['目的地址', 'Destination']),
    action: choice(['动作', 'Action'], { allow: ['放行', 'Allowed'], block: ['阻断', 'Blocked'], redirect: ['重定向', 'Redirected'] }),
    link: ref(['链路', 'Link'], 'network_wan'),
  },
});
