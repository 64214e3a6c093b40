import { deviceAuth } from '@farlink/contract/device/choices.ts';
import type { DeviceFigures, RunningFigures } from '@farlink/contract/home/summary.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { Link } from 'react-router';
import { t } from '../../kit/chrome/lang.ts';
import { numberText } from '../../ui/format.ts';
import { Point } from '../../ui/native/tag.tsx';
import { HomeCard } from './home-card.tsx';
import { homeLinks, runningLinks } from './home-links.ts';

const texts = {
  auth: ['设备授权分布', 'Devices by authorization'],
  running: ['进行中的任务', 'Under way'],
  idle: ['没有进行中的任务', 'Nothing is under way'],
} as const satisfies Record<string, Text>;

/** Shares of the authorizations as one bar; each number opens its devices. */
export const AuthCard = ({ devices }: { readonly devices: DeviceFigures | null | undefined }) => (
  <HomeCard title={texts.auth} area="auth" data={devices}>
    {({ auth, total }) => (
      <>
        <div className="home-bar" aria-hidden>
          {deviceAuth.map(({ id, color }) => (
            <span key={id} className={`hue-${color}`} style={{ width: `${total === 0 ? 0 : (100 * auth[id]) / total}%` }} />
          ))}
        </div>
        <ul className="home-counts">
          {deviceAuth.map(({ id, label, color }) => (
            <li key={id}>
              <Link to={homeLinks.devices({ auth_status: id })}>
                <Point color={color}>{t(label)}</Point>
                <b>{numberText(auth[id])}</b>
              </Link>
            </li>
          ))}
        </ul>
      </>
    )}
  </HomeCard>
);

const kinds: readonly { readonly key: keyof RunningFigures; readonly label: Text }[] = [
  { key: 'firmware', label: ['固件升级', 'Firmware campaigns'] },
  { key: 'config', label: ['配置下发', 'Config campaigns'] },
  { key: 'file', label: ['文件下发', 'File distribution'] },
  { key: 'portal', label: ['门户下发', 'Portal sends'] },
  { key: 'dpi', label: ['DPI上报', 'DPI reporting'] },
];

export const RunningCard = ({ running }: { readonly running: RunningFigures | null | undefined }) => {
  const shown = kinds.filter(({ key }) => running?.[key] !== undefined);
  if (running && shown.length === 0) return null;
  return (
    <HomeCard title={texts.running} area="running" data={running}>
      {(counts) => (
        <ul className="home-counts">
          {shown.map(({ key, label }) => (
            <li key={key}>
              <Link to={runningLinks[key]} data-none={counts[key] === 0 || undefined}>
                <Point color={counts[key] === 0 ? 'default' : 'processing'}>{t(label)}</Point>
                <b>{numberText(counts[key])}</b>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </HomeCard>
  );
};
