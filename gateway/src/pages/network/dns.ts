import { bool, choice, domain, duration, int, ipv4, ref, rows, url } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { portsFree } from '../../kit/port-rules.ts';

export const networkDns = form('network_dns', {
  title: ['DNS设置', 'DNS'],
  summary: [
    '配置本地解析：面向卫星链路的长缓存、各链路上游DNS和静态主机记录。',
    'Local resolver with long caching for satellite links, upstreams per link and static host records.',
  ],
  fields: {
    mode: choice(
      ['工作模式', 'Mode'],
      { cache: ['缓存代理', 'Caching proxy'], doh: ['加密代理（DoH）', 'DNS over HTTPS'], off: ['关闭', 'Off'] },
      { required: true, default: 'cache' },
    ),
    doh_url: url(['DoH地址', 'DoH URL'], { required: true, when: ['mode', 'doh'] }),
    upstreams: rows(
      ['上游服务器', 'Upstream servers'],
      { default: [{ server: '223.5.5.5' }, { server: '119.29.29.29' }], max: 8 },
      { server: ipv4(['服务器', 'Server'], { required: true }), link: ref(['仅用于链路', 'Only on link'], 'network_wan') },
    ),
    force_proxy: bool(['强制终端使用本机DNS', 'Force clients through this resolver'], { default: true }),
    cache_size: int(['缓存条目', 'Cache entries'], { default: 10_000, min: 150, max: 50_000 }),
    min_ttl: duration(['最小缓存时间', 'Minimum TTL'], { default: 300, min: 0, max: 3600, unit: 's' }),
    serve_stale: bool(['断链时返回过期缓存', 'Serve stale answers when links are down'], { default: true }),
    block_aaaa: bool(['屏蔽IPv6解析（AAAA）', 'Block IPv6 answers (AAAA)'], { default: true }),
    rebind_protection: bool(['防重绑定', 'Rebind protection'], { default: true }),
    hosts: rows(
      ['静态域名', 'Host records'],
      { max: 256 },
      { domain: domain(['域名', 'Domain'], { required: true }), ip: ipv4(['IP地址', 'IP address'], { required: true }) },
    ),
  },
  rules: [portsFree],
});
