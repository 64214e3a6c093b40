import type { PreviewNote } from '@farlink/contract/kit/page.ts';
import { fill, type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { bytesText, durationText } from '@farlink/contract/kit/units.ts';
import { type Network, network as networkNames } from '@farlink/contract/protocol/network.ts';
import { linkClasses } from '@farlink/gateway/protocol/link.ts';

/** Expected download rate in bytes per second, by link class. No download starts on a link billed by volume. */
const rates: Readonly<Record<Network, number>> = {
  unknown: 256 * 1024,
  '6d': 512 * 1024,
  lte: 1280 * 1024,
  low_orbit: 5 * 1024 * 1024,
  l_band: 0,
};

/** Duration of a download on a link. Undefined: it would not be sent on this link. */
export const secondsFor = (bytes: number, network: Network): number | undefined =>
  linkClasses[network].allowsHeavy ? Math.max(1, Math.ceil(bytes / rates[network])) : undefined;

const texts = {
  one: ['下载 {0}', '{0} to download'],
  total: ['每台下载 {0}，共 {1} 台，合计 {2}', '{0} for each of {1} devices, {2} in total'],
  link: ['{0}链路 {1} 台，每台约 {2}', '{1} on {0}, about {2} each'],
  light: [
    '{0} 台在L波段链路：不在此链路下载，切换到其他链路后继续',
    '{0} on the L-band link: no download there; continues after switching to another link',
  ],
  offline: ['{0} 台离线：上线后继续', '{0} offline: continues when online'],
} as const satisfies Record<string, Text>;

interface Target {
  readonly network: Network;
  readonly online_state: number;
}

const nameOf = (network: Network): Text => networkNames.find(({ id }) => id === network)?.label ?? [network, network];

/** Notes shown before a file is sent to these devices. */
export const downloadPreview = (lang: Lang, bytes: number, devices: readonly Target[]): PreviewNote[] => {
  if (devices.length === 0) return [];
  const note = (text: Text, tone?: 'warning'): PreviewNote => ({ text: say(text, lang), ...(tone && { tone }) });
  const online = devices.filter((d) => d.online_state === 1);
  const ready = Map.groupBy(
    online.filter((d) => linkClasses[d.network].allowsHeavy),
    (d) => d.network,
  );
  const light = online.filter((d) => !linkClasses[d.network].allowsHeavy).length;
  const offline = devices.length - online.length;
  return [
    note(
      devices.length === 1
        ? fill(texts.one, bytesText(bytes))
        : fill(texts.total, bytesText(bytes), devices.length, bytesText(bytes * devices.length)),
    ),
    ...[...ready].map(([network, some]) =>
      note(fill(texts.link, nameOf(network), some.length, durationText(secondsFor(bytes, network) ?? 0))),
    ),
    ...(light > 0 ? [note(fill(texts.light, light), 'warning')] : []),
    ...(offline > 0 ? [note(fill(texts.offline, offline), 'warning')] : []),
  ];
};
