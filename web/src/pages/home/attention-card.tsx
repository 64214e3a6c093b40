import { attention } from '@farlink/contract/device/attention.ts';
import type { DeviceFigures } from '@farlink/contract/home/summary.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { Link } from 'react-router';
import { t } from '../../kit/chrome/lang.ts';
import { numberText } from '../../ui/format.ts';
import { HomeCard } from './home-card.tsx';
import { homeLinks } from './home-links.ts';

const texts = {
  title: ['需要关注的设备', 'Devices that need attention'],
  offline: ['离线', 'Offline'],
  offlineHint: ['与平台没有连接', 'No connection to the platform'],
  l_band: ['在L波段上', 'On L-band'],
  l_bandHint: ['窄带备份链路，流量昂贵', 'Narrow backup link, expensive traffic'],
  waiting: ['待审批', 'Waiting for approval'],
  waitingHint: ['新接入的网关', 'New gateways'],
  none: ['没有需要关注的设备', 'No device needs attention'],
} as const satisfies Record<string, Text>;

const hints: Readonly<Record<(typeof attention)[number]['id'], Text>> = {
  drifted: ['与平台下发的配置不同', 'Differs from the configuration of the platform'],
  failing: ['文件、门户、固件或配置', 'File, portal, firmware or configuration'],
  expiring: ['到期后设备停止服务', 'The device stops its service on expiry'],
  unusual: [`今日超过平时的${limits.unusualTimes}倍且超过1 GB`, `Today more than ${limits.unusualTimes} times the usual, and over 1 GB`],
};

interface Line {
  readonly key: string;
  readonly label: Text;
  readonly hint: Text;
  readonly count: number;
  readonly to: string;
  readonly hue: string | undefined;
}

const linesOf = (devices: DeviceFigures): readonly Line[] => [
  {
    key: 'offline',
    label: texts.offline,
    hint: texts.offlineHint,
    count: devices.total - devices.online,
    to: homeLinks.deviceState('offline'),
    hue: 'red',
  },
  { key: 'l_band', label: texts.l_band, hint: texts.l_bandHint, count: devices.l_band, to: homeLinks.deviceState('l_band'), hue: 'gold' },
  ...attention.map(({ id, label, color }) => ({
    key: id,
    label,
    hint: hints[id],
    count: devices.attention[id],
    to: homeLinks.attention(id),
    hue: color,
  })),
  {
    key: 'waiting',
    label: texts.waiting,
    hint: texts.waitingHint,
    count: devices.waiting,
    to: homeLinks.devices({ status: 5 }),
    hue: 'blue',
  },
];

/** Devices that need attention, by cause. Causes without a device stay, so that the list does not jump. */
export const AttentionCard = ({ devices }: { readonly devices: DeviceFigures | null | undefined }) => (
  <HomeCard title={texts.title} area="attention" data={devices}>
    {(figures) => {
      const lines = linesOf(figures);
      return (
        <>
          {lines.every(({ count }) => count === 0) && <p className="muted home-none">{t(texts.none)}</p>}
          <ul className="home-lines">
            {lines.map(({ key, label, hint, count, to, hue }) => (
              <li key={key}>
                <Link className={`home-line hue-${hue}`} data-none={count === 0 || undefined} to={to}>
                  <span>
                    <strong>{t(label)}</strong>
                    <span className="cut muted small">{t(hint)}</span>
                  </span>
                  <b>{numberText(count)}</b>
                </Link>
              </li>
            ))}
          </ul>
        </>
      );
    }}
  </HomeCard>
);
