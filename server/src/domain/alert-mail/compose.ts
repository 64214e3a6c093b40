import { apEvent, notifyEvent } from '@farlink/contract/advanced/choices.ts';
import { fill, type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { zonedTime } from '@farlink/contract/kit/zone.ts';
import { network, networkOf } from '@farlink/contract/protocol/network.ts';
import { escapeHtml, type Mail } from '../mail/smtp.ts';

/** One line of a mail: an event of one device or access point. */
export interface Item {
  readonly device_name: string;
  readonly sn: string;
  readonly agent_name: string;
  readonly times: number;
  readonly first_at: number;
  readonly last_at: number;
  readonly detail: unknown;
}

export interface Group {
  readonly kind: 'status' | 'ap';
  readonly event: string;
  readonly lang: Lang;
  readonly items: readonly Item[];
  /** Name of the VNO whose brand the mail has. */
  readonly brand: string;
}

const texts = {
  subjectOne: ['【{0}】{1}：{2}', '[{0}] {1}: {2}'],
  subjectMany: ['【{0}】{1}：{2} 台设备', '[{0}] {1}: {2} devices'],
  intro: ['{0}，共 {1} 台设备：', '{0}. Devices: {1}'],
  device: ['设备', 'Device'],
  sn: ['设备SN', 'SN'],
  vno: ['所属VNO', 'VNO'],
  time: ['时间（UTC+8）', 'Time (UTC+8)'],
  about: ['说明', 'Details'],
  times: ['次数', 'Times'],
  more: ['另有 {0} 条未列出，请登录控制台查看。', '{0} more are not listed. Log in to the console to view them.'],
  mailReason: [
    '您收到此邮件，是因为该邮箱被设为设备通知邮箱。',
    'You receive this mail because this mailbox is set as a notification mailbox for devices.',
  ],
  expiresSoon: ['授权将于 {0} 到期', 'The authorization expires on {0}'],
  expired: ['授权已于 {0} 到期', 'The authorization expired on {0}'],
  linkFromTo: ['{0} → {1}', '{0} → {1}'],
} as const satisfies Record<string, Text>;

const reasons: Readonly<Record<string, Text>> = {
  lost: ['连接中断', 'Connection lost'],
  stop: ['设备关机', 'Shut down'],
  reboot: ['设备重启', 'Rebooting'],
  console: ['平台重启后未重新连接', 'Not reconnected since the platform restarted'],
};

const maxItems = 1000;

const labelOf = ({ kind, event }: Pick<Group, 'kind' | 'event'>): Text =>
  (kind === 'ap' ? apEvent : notifyEvent).find(({ id }) => id === event)?.label ?? ['设备通知', 'Device notice'];

/** `lte2` is the second link of its class. */
const linkText = (link: string): Text => {
  const id = networkOf(link);
  const label: Text = network.find((n) => n.id === id)?.label ?? [link, link];
  const rest = id === 'unknown' ? '' : link.slice(id.length);
  return id === 'unknown' ? [link, link] : [`${label[0]}${rest}`, `${label[1]}${rest && ` ${rest}`}`];
};

const detailsOf = ({ kind, event }: Group, { detail, last_at }: Item): Text => {
  const facts = new Map<string, unknown>(typeof detail === 'object' && detail !== null ? Object.entries(detail) : []);
  const text = (name: string) => String(facts.get(name) ?? '');
  if (kind === 'ap') return fill(['{0}', '{0}'], [text('ap'), text('mac')].filter(Boolean).join(' '));
  if (event === 'link') return fill(texts.linkFromTo, linkText(text('from')), linkText(text('to')));
  if (event === 'auth') return fill(text('stage') === 'expired' ? texts.expired : texts.expiresSoon, zonedTime(last_at));
  if (event === 'offline') return reasons[text('why')] ?? ['', ''];
  return ['', ''];
};

const timesText = ({ first_at, last_at }: Item) =>
  first_at === last_at ? zonedTime(last_at) : `${zonedTime(first_at)} – ${zonedTime(last_at)}`;

/** Device names are untrusted and must stay in their cell. */
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ');

const cell = 'padding:6px 12px;border:1px solid #d0d7de;text-align:left;vertical-align:top';

/** One mail for all events of one kind. */
export const compose = (group: Group): Pick<Mail, 'subject' | 'text' | 'html'> => {
  const t = (text: Text, ...args: (string | number | Text)[]) => say(fill(text, ...args), group.lang);
  const { items } = group;
  const brand = oneLine(group.brand);
  const [first] = items;
  const label = labelOf(group);
  const devices = new Set(items.map(({ sn }) => sn)).size;
  const shown = items.slice(0, maxItems);
  const rows = shown.map((item) => ({ item, about: say(detailsOf(group, item), group.lang) }));
  const hasDetails = rows.some((row) => row.about !== '');
  const hasTimes = shown.some(({ times }) => times > 1);
  const head = [
    t(texts.device),
    t(texts.sn),
    t(texts.vno),
    ...(group.event === 'auth' ? [] : [t(texts.time)]),
    ...(hasDetails ? [t(texts.about)] : []),
    ...(hasTimes ? [t(texts.times)] : []),
  ];
  const lines = rows.map(({ item, about: facts }) =>
    [
      item.device_name,
      item.sn,
      item.agent_name,
      ...(group.event === 'auth' ? [] : [timesText(item)]),
      ...(hasDetails ? [facts] : []),
      ...(hasTimes ? [String(item.times)] : []),
    ].map(oneLine),
  );
  const more = items.length > shown.length ? [t(texts.more, items.length - shown.length)] : [];
  const intro = t(texts.intro, label, devices);
  const row = (tag: 'th' | 'td', cells: readonly string[]) =>
    `<tr>${cells.map((text) => `<${tag} style="${cell}">${escapeHtml(text)}</${tag}>`).join('')}</tr>`;
  return {
    subject: devices === 1 ? t(texts.subjectOne, brand, label, first?.device_name ?? '') : t(texts.subjectMany, brand, label, devices),
    text: [intro, '', ...[head, ...lines].map((cells) => cells.join(' | ')), ...more, '', t(texts.mailReason)].join('\n'),
    html: [
      `<p>${escapeHtml(intro)}</p>`,
      `<table style="border-collapse:collapse;font-size:13px">${row('th', head)}${lines.map((cells) => row('td', cells)).join('')}</table>`,
      ...more.map((text) => `<p>${escapeHtml(text)}</p>`),
      `<p style="color:#656d76;font-size:12px">${escapeHtml(t(texts.mailReason))}</p>`,
    ].join(''),
  };
};
