import type { PortalDocument } from './document.ts';

/** The document of a new portal. A free portal sells nothing. */
export const defaultDocument = (billing: 'free' | 'charged', name: readonly [string, string]): PortalDocument => ({
  v: 1,
  title: [name[0].slice(0, 25), name[1].slice(0, 25)],
  theme: { primary: '#1668dc', background: '#f3f6fb', scheme: 'light', radius: 8, size: 'normal' },
  blocks: [
    { id: 'header', kind: 'header', text: [name[0].slice(0, 60), name[1].slice(0, 60)] },
    { id: 'welcome', kind: 'welcome', text: ['欢迎使用卫星宽带网络', 'Welcome to satellite broadband'], align: 'center' },
    { id: 'quota', kind: 'quota', tone: 'card' },
    { id: 'login', kind: 'login', tone: 'card', register: true },
    ...(billing === 'charged'
      ? [{ id: 'packages', kind: 'packages', tone: 'card', most: 6 } as const, { id: 'card', kind: 'card', tone: 'card' } as const]
      : []),
    { id: 'notices', kind: 'notices', tone: 'plain', most: 3 },
    {
      id: 'agreement',
      kind: 'agreement',
      text: [
        '请合法使用网络。卫星链路容量有限，请勿进行大流量下载。上网记录依法留存。',
        'Please use the network lawfully. Satellite capacity is limited, so avoid large downloads. Access records are kept as the law requires.',
      ],
    },
    { id: 'feedback', kind: 'feedback' },
    { id: 'footer', kind: 'footer', text: ['', ''], align: 'center' },
  ],
});
