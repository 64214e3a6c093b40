import type { Lang } from '@farlink/contract/kit/text.ts';
import type { HomeView, PortalData } from './view.ts';

/** Addresses of a preview page, and the logo of its VNO. */
interface Preview extends Pick<PortalData, 'logo'> {
  readonly root: string;
  readonly here: string;
  readonly other: string;
}

const packages = {
  zh: [
    { id: '1', name: '船员月卡', price: '¥99.00', detail: '10 GB · 30 天' },
    { id: '2', name: '日包', price: '¥12.00', detail: '1 GB · 24 小时' },
    { id: '3', name: '聊天不限量', price: '¥39.00', detail: '仅即时通信 · 30 天' },
  ],
  en: [
    { id: '1', name: 'Crew month', price: '¥99.00', detail: '10 GB, 30 days' },
    { id: '2', name: 'Day pass', price: '¥12.00', detail: '1 GB, 24 hours' },
    { id: '3', name: 'Unlimited chat', price: '¥39.00', detail: 'Messaging only, 30 days' },
  ],
} as const;

const extras = {
  zh: [{ id: '4', name: '加油包', price: '¥15.00', detail: '2 GB · 套餐用完后继续使用' }],
  en: [{ id: '4', name: 'Extra data', price: '¥15.00', detail: '2 GB, after the package is used up' }],
} as const;

const notices = {
  zh: [
    { title: '本周日凌晨进行链路维护', at: '2026-11-16', content: '周日 02:00 至 04:00 网络可能短暂中断，请提前安排。' },
    { title: '新套餐上线', at: '2026-11-10', content: '聊天不限量套餐已上线，可在套餐页购买。' },
  ],
  en: [
    { title: 'Link maintenance on Sunday', at: '2026-11-16', content: 'The network may be interrupted from 02:00 to 04:00 on Sunday.' },
    { title: 'New package', at: '2026-11-10', content: 'The package Unlimited chat is on sale now.' },
  ],
} as const;

const answers = {
  zh: [{ content: '昨晚八点网页很慢。', at: '2026-11-14 20:12', answer: '当时处于L波段链路，现已恢复。', answered: '2026-11-15 09:30' }],
  en: [
    {
      content: 'Web pages were slow at eight last night.',
      at: '2026-11-14 20:12',
      answer: 'The ship was on the L-band link. It is back to normal now.',
      answered: '2026-11-15 09:30',
    },
  ],
} as const;

const sessions = [
  { id: '1', mac: '3C:06:30:1F:A2:7B', ip: '10.8.0.23', since: '2026-11-17 08:05', isThis: true },
  { id: '2', mac: '9E:41:D0:77:0C:15', ip: '10.8.0.57', since: '2026-11-17 07:40' },
] as const;

const quotaOf = (state: HomeView, lang: Lang): PortalData['quota'] => {
  const name = packages[lang][0].name;
  if (state === 'used')
    return {
      name,
      left: '0 GB',
      total: '10 GB',
      percent: '0',
      until: '2026-12-01 23:59',
      blocked: lang === 'zh' ? '流量已用完，购买加油包或充值后可继续上网。' : 'No data left. Buy a package or redeem a card to continue.',
    };
  const lines = {
    zh: { inUse: '使用中，2026-12-01 23:59 到期', next: '前一个用完后使用' },
    en: { inUse: 'In use until 2026-12-01 23:59', next: 'Used next' },
  } as const;
  return {
    several: {
      packages: [
        { name, left: '6.4 GB', state: lines[lang].inUse },
        { name: extras[lang][0].name, left: '2 GB', state: lines[lang].next },
      ],
    },
    left: '8.4 GB',
    total: '12 GB',
    percent: '70',
  };
};

/** Realistic values for previews, the same for each portal. */
export const sampleData = (state: HomeView, lang: Lang, preview: Preview): PortalData => ({
  ...preview,
  packages: packages[lang],
  extras: extras[lang],
  hasExtras: true,
  notices: notices[lang],
  answers: answers[lang],
  sessions,
  ...(state !== 'out' && { renewal: { isOn: false } }),
  canRegister: true,
  ask: { sms: true, realname: true, prefix: 'hx' },
  channels: [
    { id: 'alipay', name: lang === 'zh' ? '支付宝' : 'Alipay' },
    { id: 'wechat', name: lang === 'zh' ? '微信支付' : 'WeChat Pay' },
  ],
  order: {
    no: 'P20261117080512',
    name: packages[lang][0].name,
    amount: packages[lang][0].price,
    channel: lang === 'zh' ? '支付宝' : 'Alipay',
    ...(state === 'paying' && { qr: `${preview.root}qr.svg` }),
  },
  ...(state !== 'out' && { account: 'hx13800001234', isOnline: state !== 'used', quota: quotaOf(state, lang) }),
});
