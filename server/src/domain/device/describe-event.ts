import { tempReleaseReason, tempReleaseResult } from '@farlink/contract/advanced/temp-release.ts';
import { linkName } from '@farlink/contract/device/link-name.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import type { DeviceEventKind } from '@farlink/contract/protocol/event.ts';
import { rejectReason, terminateCause } from '@farlink/contract/user/choices.ts';
import { rejectionOf } from '../subscriber/rejection.ts';

type Doc = Readonly<Record<string, unknown>>;

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const states: readonly Text[] = [
  ['断开', 'down'],
  ['连接', 'up'],
  ['异常', 'abnormal'],
];
const stateOf = (code: unknown): Text => states[Number(code)] ?? ['未知', 'unknown'];
const labelOf = (options: readonly { readonly id: string; readonly label: Text }[], id: unknown): Text =>
  options.find((o) => o.id === id)?.label ?? [textOf(id), textOf(id)];

const offlineReasons: Readonly<Record<string, Text>> = {
  lost: ['连接丢失', 'the connection was lost'],
  stop: ['网关主动断开', 'closed by the gateway'],
  reboot: ['网关重启', 'the gateway reboots'],
};
const locks: Readonly<Record<string, Text>> = {
  unlocked: ['已解除锁定', 'Unlocked'],
  global: ['锁定全球网', 'Locked to the global network'],
  second_satellite: ['锁定二星网', 'Locked to the second satellite network'],
};
const linkOf = (link: unknown): Text =>
  link === 'none' || link === undefined ? ['无', 'none'] : [linkName(textOf(link)), linkName(textOf(link))];
const more = (text: Text, extra: string): Text => (extra === '' ? text : [`${text[0]}（${extra}）`, `${text[1]} (${extra})`]);

const bytesOf = (value: unknown) => bytesText(Number(value ?? 0));
const isOther = (value: unknown) => Number(value ?? 0) !== 0;

/** The difference between links, users and charges of a day. */
const trafficText = ({ day, ok, link, user, own, charged, unattributed, uncharged }: Doc): Text => {
  if (ok === true) return fill(['{0} 的流量差异已消除', 'Difference of {0} resolved'], textOf(day));
  const head = fill(
    [
      '{0} 流量有差异：链路 {1}，用户 {2}，网关自身 {3}，已计费 {4}',
      'Traffic of {0} differs: links {1}, users {2}, gateway {3}, charged {4}',
    ],
    textOf(day),
    bytesOf(link),
    bytesOf(user),
    bytesOf(own),
    bytesOf(charged),
  );
  const lost: Text[] = [
    ...(isOther(unattributed) ? [fill(['未归属 {0}', '{0} unattributed'], bytesOf(unattributed))] : []),
    ...(isOther(uncharged) ? [fill(['未计费 {0}', '{0} not charged'], bytesOf(uncharged))] : []),
  ];
  return [`${head[0]}；${lost.map(([zh]) => zh).join('，')}`, `${head[1]}; ${lost.map(([, en]) => en).join(', ')}`];
};

const eventTexts: Readonly<Record<DeviceEventKind, (doc: Doc) => Text>> = {
  online: ({ fw }) => (textOf(fw) ? fill(['上线，版本 {0}', 'Came online with version {0}'], textOf(fw)) : ['上线', 'Came online']),
  offline: ({ why }) => fill(['离线：{0}', 'Went offline: {0}'], offlineReasons[textOf(why)] ?? [textOf(why), textOf(why)]),
  link: ({ from, to, why }) => more(fill(['{0} → {1}', '{0} → {1}'], linkOf(from), linkOf(to)), textOf(why)),
  fence: ({ fence, in: inside, act }) =>
    more(fill(inside === true ? ['进入围栏 {0}', 'Entered fence {0}'] : ['离开围栏 {0}', 'Left fence {0}'], textOf(fence)), textOf(act)),
  ap: ({ ap, s, mac }) => more(fill(['AP {0} {1}', 'AP {0} is {1}'], textOf(ap), stateOf(s)), textOf(mac)),
  port: ({ port, s }) => fill(['LAN{0} {1}', 'LAN{0} is {1}'], Number(port) + 1, stateOf(s)),
  lock: ({ lock }) => locks[textOf(lock)] ?? [textOf(lock), textOf(lock)],
  docker: ({ name, act, ok }) =>
    fill(
      ok === false ? ['容器 {0} {1} 失败', 'Container {0}: {1} failed'] : ['容器 {0} {1}', 'Container {0}: {1}'],
      textOf(name),
      textOf(act) || '-',
    ),
  auth: ({ acc, ok, why }) =>
    ok === true
      ? fill(['{0} 认证通过', '{0} was authenticated'], textOf(acc))
      : fill(['{0} 认证被拒：{1}', '{0} was refused: {1}'], textOf(acc), labelOf(rejectReason, rejectionOf(why))),
  bound: ({ restore }) =>
    restore === true ? ['绑定平台，请求恢复备份', 'Bound to the platform, requested its backup'] : ['绑定平台', 'Bound to the platform'],
  user: ({ acc, in: isOnline, why, u, d }) =>
    isOnline === true
      ? fill(['{0} 上线', '{0} came online'], textOf(acc))
      : fill(
          ['{0} 下线：{1}，↑{2} ↓{3}', '{0} went offline: {1}, ↑{2} ↓{3}'],
          textOf(acc),
          labelOf(terminateCause, why ?? 'user'),
          bytesText(Number(u ?? 0)),
          bytesText(Number(d ?? 0)),
        ),
  login: ({ acc, ok, ip }) =>
    more(
      fill(
        ok === true ? ['{0} 登录网关', '{0} logged in at the gateway'] : ['{0} 登录网关失败', '{0} failed to log in at the gateway'],
        textOf(acc),
      ),
      textOf(ip),
    ),
  release: ({ mac, st, why, u, d }) => {
    const text = fill(['终端 {0} {1}', 'Terminal {0}: {1}'], textOf(mac), labelOf(tempReleaseResult, st));
    const reasons = why === undefined ? text : fill(['{0}：{1}', '{0}: {1}'], text, labelOf(tempReleaseReason, why));
    return st === 'end'
      ? fill(['{0}，↑{1} ↓{2}', '{0}, ↑{1} ↓{2}'], reasons, bytesText(Number(u ?? 0)), bytesText(Number(d ?? 0)))
      : reasons;
  },
  danger: ({ domain, n }) =>
    fill(
      ['拦截访问 {0}，{1} 次', 'Blocked {0}, {1} visits'],
      textOf(domain) || (['已删除的网站', 'a deleted website'] as const),
      textOf(n),
    ),
  traffic: trafficText,
};

const isKnown = (kind: string): kind is DeviceEventKind => Object.hasOwn(eventTexts, kind);

/** Event as text; an unknown kind is shown by its name. */
export const describeEvent = (kind: string, doc: Doc): Text => (isKnown(kind) ? eventTexts[kind](doc) : [kind, kind]);
