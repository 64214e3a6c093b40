import type { AuditStream } from '../protocol/audit.ts';

/** Audit rows of invented people, for the simulator and the demo data. */
export type SampleRow = Readonly<Record<string, string | number>>;

interface SampleRandom {
  next(): number;
  int(min: number, max: number): number;
}

export interface SampleSession {
  readonly sid: string;
  readonly acc: string;
  readonly mac: string;
  readonly ip: string;
}

/** Host, category, server and pages that are read without TLS. */
interface Site {
  readonly host: string;
  readonly cat: string;
  readonly ip: string;
  readonly weight: number;
  readonly pages?: readonly (readonly [path: string, title: string])[];
}

const sites: readonly [Site, ...Site[]] = [
  { host: 'short.weixin.qq.com', cat: 'im', ip: '109.244.216.15', weight: 22 },
  { host: 'aweme.snssdk.com', cat: 'social', ip: '122.14.229.110', weight: 18 },
  { host: 'upos-sz-mirrorcos.bilivideo.com', cat: 'video', ip: '175.4.62.97', weight: 12 },
  { host: 'www.taobao.com', cat: 'shopping', ip: '59.82.122.115', weight: 9 },
  { host: 'www.baidu.com', cat: 'search', ip: '110.242.68.66', weight: 8 },
  { host: 'weibo.com', cat: 'social', ip: '49.7.37.60', weight: 7 },
  { host: 'pcs.baidu.com', cat: 'cloud', ip: '112.34.111.194', weight: 5 },
  { host: 'www.msa.gov.cn', cat: 'government', ip: '218.247.2.10', weight: 2 },
  {
    host: 'weather.cma.example',
    cat: 'weather',
    ip: '198.51.100.21',
    weight: 4,
    pages: [
      ['/sea/east', '东海海区风浪预报'],
      ['/typhoon/live', '台风实时路径'],
    ],
  },
  {
    host: 'news.harbour.example',
    cat: 'news',
    ip: '198.51.100.34',
    weight: 6,
    pages: [
      ['/2026/port-congestion', '主要港口拥堵情况周报'],
      ['/sport/league?round=12', '联赛第12轮综述'],
      ['/index.html', '海港新闻 首页'],
    ],
  },
  {
    host: 'ais.ship.example',
    cat: 'maritime',
    ip: '198.51.100.57',
    weight: 3,
    pages: [['/vessel?mmsi=413000000', 'Vessel details - AIS live map']],
  },
];

const identities = [
  { app: 'WeChat', id: (n: number) => `wxid_${n.toString(36)}`, sip: '109.244.216.15', sp: 443 },
  { app: 'QQ', id: (n: number) => String(100_000_000 + n), sip: '203.205.254.62', sp: 8000 },
  { app: 'Weibo', id: (n: number) => String(5_600_000_000 + n), sip: '49.7.37.60', sp: 443 },
  { app: 'Taobao', id: (n: number) => `tb${n}`, sip: '59.82.122.115', sp: 443 },
  { app: 'Douyin', id: (n: number) => `dy${n.toString(36)}`, sip: '122.14.229.110', sp: 443 },
] as const;

const forums = ['海员之家', '航运在线', '船员吧'] as const;
const posts = [
  ['求助：下一港换班签证', '请问最近在新加坡换班需要提前多少天办理？'],
  ['晒一下今天的日落', '东经120度，浪高两米，景色不错。'],
  ['机舱空调维修经验', '压缩机频繁启停，最后发现是温控器的问题。'],
  ['招聘：三副一名', '散货船，航线固定，有意者请联系。'],
] as const;
const subjects = ['航次报告', '伙食费用明细', 'Port agent: arrival notice', '备件申请单', '体检预约确认', '家里的照片'] as const;
const contacts = [
  ...['ops@shipping.example', 'agent@port.example', 'crewing@manning.example', 'family@mail.example', 'purchase@supply.example'],
] as const;

/** Brands and systems by frequency; a terminal always has the same entry. */
const terminals = [
  { br: 'HUAWEI', os: 'android' },
  { br: 'Xiaomi', os: 'android' },
  { br: 'OPPO', os: 'android' },
  { br: 'vivo', os: 'android' },
  { br: 'Apple', os: 'ios' },
  { br: 'Apple', os: 'ios' },
  { br: 'Lenovo', os: 'windows' },
  { br: 'HONOR', os: 'other' },
] as const;
const ssids = ['CREW', 'OFFICER', 'GUEST'] as const;

const hashOf = (text: string): number => {
  let h = 0;
  for (let i = 0; i < text.length; i++) h = (Math.imul(h, 31) + text.charCodeAt(i)) >>> 0;
  return h;
};
type NonEmpty = readonly [unknown, ...unknown[]];
const pick = <const L extends NonEmpty>(random: SampleRandom, list: L): L[number] => list[random.int(0, list.length - 1)] ?? list[0];
const pickBy = <const L extends NonEmpty>(text: string, list: L): L[number] => list[hashOf(text) % list.length] ?? list[0];

const clientOf = ({ acc, ip, mac }: SampleSession) => ({ acc, ip, mac });

/** Address and ports of a session behind address translation: each session has a block of 1,024 ports. */
const publicOf = (sn: string, { sid }: SampleSession) => {
  const n = Number(/\d+$/.exec(sid)?.[0] ?? 0);
  const from = 1024 * (1 + (n % 63));
  return { pip: `203.0.113.${1 + (hashOf(sn) % 254)}`, pr: `${from}-${from + 1023}` };
};

/** `end` is the time of the logout. */
export const sampleAuth = (sn: string, session: SampleSession, begin: number, end?: number): SampleRow => ({
  at: end ?? begin,
  ...clientOf(session),
  act: end === undefined ? 'login' : 'logout',
  li: begin,
  ...(end !== undefined && { lo: end }),
  ...publicOf(sn, session),
  sid: session.sid,
});

export const sampleTerminal = (random: SampleRandom, session: SampleSession, at: number): SampleRow => {
  const { br, os } = pickBy(session.mac, terminals);
  return { at, ...clientOf(session), br, os, ssid: pickBy(session.acc, ssids), sig: -random.int(38, 78) };
};

const allWeights = sites.reduce((sum, { weight }) => sum + weight, 0);
const siteOf = (random: SampleRandom): Site => {
  let left = random.next() * allWeights;
  for (const site of sites) {
    left -= site.weight;
    if (left < 0) return site;
  }
  return sites[0];
};

const sampleVisit = (random: SampleRandom, session: SampleSession, at: number): SampleRow => {
  const { host, cat, ip: sip, pages = [] } = siteOf(random);
  const common = { at, ...clientOf(session), h: host, cat, sip };
  const page = pages[random.int(0, pages.length - 1)];
  return page ? { ...common, u: `http://${host}${page[0]}`, t: page[1], sp: 80 } : { ...common, sp: 443 };
};

const sampleIdentity = (random: SampleRandom, session: SampleSession, at: number): SampleRow => {
  const { app, id, sip, sp } = pick(random, identities);
  const act = random.next() < 0.7 ? 'login' : 'logout';
  return { at, ...clientOf(session), app, id: id(hashOf(`${app} ${session.acc}`) % 90_000_000), act, sip, sp };
};

const samplePost = (random: SampleRandom, session: SampleSession, at: number, salt: string): SampleRow => {
  const act = pick(random, ['post', 'reply', 'browse', 'browse']);
  const [t, c] = pick(random, posts);
  const n = random.int(1000, 9999);
  const common = { at, ...clientOf(session), f: pick(random, forums), act, t, u: `http://bbs.seafarer.example/t/${n}`, salt };
  return act === 'browse' ? common : { ...common, au: `sailor${hashOf(session.acc) % 1000}`, c };
};

const sampleMail = (random: SampleRandom, session: SampleSession, at: number, salt: string): SampleRow => {
  const own = `${session.acc.toLowerCase().replace(/[^a-z0-9]/g, '')}@crew.example`;
  const other = pick(random, contacts);
  const third = pick(random, contacts);
  const isSent = random.next() < 0.5;
  return {
    at,
    ...clientOf(session),
    dir: isSent ? 'send' : 'receive',
    from: isSent ? own : other,
    to: isSent ? other : own,
    ...(random.next() < 0.3 && third !== other && { cc: third }),
    sub: pick(random, subjects),
    n: Math.max(0, random.int(-2, 3)),
    sz: random.int(2_000, 900_000),
    salt,
  };
};

/** The next activity of a person, usually a visit. `salt` makes 16 random bytes in hex. */
export const sampleActivity = (
  random: SampleRandom,
  session: SampleSession,
  at: number,
  salt: () => string,
): readonly [stream: AuditStream, row: SampleRow] => {
  const share = random.next();
  if (share < 0.62) return ['a_url', sampleVisit(random, session, at)];
  if (share < 0.8) return ['a_id', sampleIdentity(random, session, at)];
  if (share < 0.87) return ['a_bbs', samplePost(random, session, at, salt())];
  if (share < 0.94) return ['a_mail', sampleMail(random, session, at, salt())];
  return ['a_term', sampleTerminal(random, session, at)];
};
