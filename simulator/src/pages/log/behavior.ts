import { type App, apps } from '../apps.ts';
import type { LogReader } from '../row.ts';
import { life } from '../timeline.ts';
import { accountsOf, phoneOf } from './access.ts';

const [web, ...moreWeb] = apps.filter((app): app is App => app.port === 443 || app.port === 80);
const browsed: readonly [App, ...App[]] = [web ?? apps[0], ...moreWeb];
const paths = ['/', '/index.html', '/feed/recommend', '/api/v2/list', '/search', '/video/play', '/news/world'] as const;

export const urlLog: LogReader = (snapshot, before) =>
  life(snapshot, 'url', { every: 120, before }, (random, time) => {
    const account = random.pick(accountsOf(snapshot));
    const app = random.pick(browsed);
    return [
      {
        time,
        account,
        ...phoneOf(snapshot, account),
        host: app.host,
        category: app.category,
        dst_ip: app.ip,
        url: `${app.port === 80 ? 'http' : 'https'}://${app.host}${random.pick(paths)}`,
        action: random.pick(['allow', 'allow', 'allow', 'allow', 'block', 'redirect']),
        link: snapshot.active?.name ?? '',
      },
    ];
  });

const subjects = ['航次计划更新', 'Noon report', '备件清单确认', 'Crew change at next port', '货物单据', 'Weather routing advice'] as const;
const boards = [
  ['tieba.baidu.com', '110.242.68.3'],
  ['www.cnss.com.cn', '59.110.190.9'],
] as const;

export const contentLog: LogReader = (snapshot, before) =>
  life(snapshot, 'content', { every: 3600, before }, (random, time) => {
    const account = random.pick(accountsOf(snapshot));
    const type = random.pick(['mail_send', 'mail_receive', 'mail_receive', 'forum']);
    const isMail = type !== 'forum';
    const keywords = snapshot.rows('behavior_keyword').map((row) => String(row.name));
    const hit = random.chance(0.15) ? (keywords[random.int(0, keywords.length - 1)] ?? 'blacklist') : '';
    return [
      {
        time,
        type,
        account,
        ...phoneOf(snapshot, account),
        site: isMail ? random.pick(['smtp.qq.com', 'imap.qq.com', 'mail.163.com']) : random.pick(boards)[0],
        sender: type === 'mail_receive' ? 'ops@shore-office.example' : `${account}@ship.example`,
        recipient: isMail ? (type === 'mail_receive' ? `${account}@ship.example` : 'ops@shore-office.example') : '',
        subject: random.pick(subjects),
        size: random.int(900, 480_000),
        keyword: hit,
        action: hit === '' ? 'log' : random.pick(['alarm', 'block']),
      },
    ];
  });

const identities = [
  ['im', 'WeChat', 'wxid_', '109.244.216.15'],
  ['im', 'QQ', '', '203.205.232.7'],
  ['social', 'Weibo', 'u', '49.7.36.31'],
  ['mail', 'QQ Mail', '', '203.205.232.7'],
  ['game', 'Honor of Kings', 'hk', '182.254.116.117'],
  ['shopping', 'Taobao', 'tb', '59.82.122.115'],
  ['forum', 'Tieba', 'tb_', '110.242.68.3'],
] as const;

/** The audit masks values by default. */
const masked = (head: string, n: number) => `${head}${String(n).slice(0, 3)}****${String(n).slice(-2)}`;

export const identityLog: LogReader = (snapshot, before) =>
  life(snapshot, 'identity', { every: 600, before }, (random, time) => {
    const account = random.pick(accountsOf(snapshot));
    const [identity_type, app, head, dst_ip] = random.pick(identities);
    return [
      {
        time,
        account,
        ...phoneOf(snapshot, account),
        identity_type,
        app,
        dst_ip,
        identity: masked(head, snapshot.lasting(`${app} ${account}`).int(100_000_000, 999_999_999)),
        event: random.pick(['login', 'login', 'logout']),
        src_port: random.int(32_768, 60_999),
      },
    ];
  });
