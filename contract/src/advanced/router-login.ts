import { bool, choice, password, text } from '../kit/field.ts';
import type { Rule } from '../kit/rule.ts';
import type { Values } from '../kit/values.ts';

/** How a router takes the login of a user from the hosted portal. */
const loginProtocol = [
  { id: 'none', label: ['不使用', 'Not used'] },
  { id: 'uam', label: ['UAM（CoovaChilli、uspot、Cradlepoint等）', 'UAM (CoovaChilli, uspot, Cradlepoint …)'] },
  { id: 'mikrotik', label: ['MikroTik Hotspot', 'MikroTik hotspot'] },
] as const;
export type RouterProtocol = (typeof loginProtocol)[number]['id'];

const uamSecretRule: Rule = {
  name: 'uam_secret',
  text: ['8-64个可见字符', '8-64 visible characters'],
  test: (value) => /^[\x21-\x7e]{8,64}$/.test(String(value)),
};
const hostsRule: Rule = {
  name: 'router_hosts',
  text: ['IP地址或域名，用空格分隔，不含端口', 'IP addresses or domain names without ports, separated by spaces'],
  test: (value) => /^[a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?( [a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?)*$/i.test(String(value)),
};

const usesPortal = (values: Values) => values.login_protocol === 'uam' || values.login_protocol === 'mikrotik';

/** Fields of a NAS whose users log in at the hosted portal. */
export const routerFields = {
  login_protocol: choice(['门户登录', 'Portal login'], loginProtocol, {
    default: 'none',
    hiddenByDefault: true,
    tips: [
      '路由器把用户转到平台门户登录时使用的协议；需允许CHAP时请同时开启“允许CHAP”',
      'How the router takes logins from the hosted portal. If it logs in by CHAP, turn on "Allow CHAP" too.',
    ],
  }),
  uam_secret: password(['UAM密钥', 'UAM secret'], {
    rules: [uamSecretRule],
    max: 64,
    blank: true,
    when: (values) => values.login_protocol === 'uam',
    tips: [
      '与路由器的uamsecret一致；设置后，没有正确签名的跳转会被拒绝。留空表示不修改',
      'The uamsecret of the router. With it, redirects without the right signature are refused. Leave empty to keep the current value.',
    ],
  }),
  has_uam_secret: bool(['已设UAM密钥', 'UAM secret set'], { hiddenByDefault: true }),
  router_hosts: text(['路由器登录页地址', 'Hosts of the login page'], {
    rules: [hostsRule],
    max: 255,
    mono: true,
    hiddenByDefault: true,
    when: usesPortal,
    tips: [
      '内网IP地址无需填写；公网地址或域名须列出，多个用空格分隔',
      'Private IP addresses are always accepted. List public addresses and names, separated by spaces.',
    ],
  }),
};
