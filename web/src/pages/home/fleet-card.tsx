import type { DeviceFigures, FleetPoint, FleetState } from '@farlink/contract/home/summary.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { lazy, Suspense } from 'react';
import { Link, useNavigate } from 'react-router';
import { t } from '../../kit/chrome/lang.ts';
import { numberText } from '../../ui/format.ts';
import { type MapMark, markSum } from '../../ui/maps/fleet-marks.ts';
import { HomeCard } from './home-card.tsx';
import { homeLinks } from './home-links.ts';

const FleetMap = lazy(() => import('../../ui/maps/fleet-map.tsx'));

const texts = {
  title: ['设备分布', 'Fleet'],
  map: ['设备地图', 'Map of devices'],
  online: ['在线', 'Online'],
  l_band: ['L波段', 'L-band'],
  offline: ['离线', 'Offline'],
  unlocated: ['{0} 台无位置', '{0} without position'],
  devices: ['{0} 台设备', '{0} devices'],
  zoomIn: ['放大', 'Zoom in'],
  zoomOut: ['缩小', 'Zoom out'],
} as const satisfies Record<string, Text>;

const states: readonly FleetState[] = ['online', 'l_band', 'offline'];
const hues: Readonly<Record<FleetState, string>> = { online: '--success', l_band: '--warning', offline: '--faint' };
const isState = (name: string): name is FleetState => states.some((state) => state === name);

const marksOf = (points: readonly FleetPoint[]): MapMark[] =>
  points.map(({ lat, lon, state, count, device }) => ({ lat, lon, state, count, id: device?.id, name: device?.name }));

const describe = (marks: readonly MapMark[]): string => {
  const [only] = marks;
  if (only?.name && marks.length === 1) return `${only.name} · ${isState(only.state) ? t(texts[only.state]) : ''}`;
  const stateCounts = states.flatMap((state) => {
    const n = markSum(marks.filter((mark) => mark.state === state));
    return n === 0 ? [] : `${t(texts[state])} ${numberText(n)}`;
  });
  return `${t(texts.devices, numberText(markSum(marks)))} · ${stateCounts.join(', ')}`;
};

const Legend = ({ devices, located }: { readonly devices: DeviceFigures; readonly located: number }) => {
  const counts = { online: devices.online, l_band: devices.l_band, offline: devices.total - devices.online };
  const missing = devices.total - located;
  return (
    <div className="flow fleet-legend">
      {states.map((state) => (
        <Link key={state} className={`act fleet-key is-${state}`} to={homeLinks.deviceState(state)}>
          {t(texts[state])} <b>{numberText(counts[state])}</b>
        </Link>
      ))}
      {missing > 0 && <span className="muted">{t(texts.unlocated, numberText(missing))}</span>}
    </div>
  );
};

interface FleetCardProps {
  readonly devices: DeviceFigures | null | undefined;
  readonly fleet: readonly FleetPoint[] | null | undefined;
}

/** All devices on a map by state. The legend has the same numbers as links. */
export const FleetCard = ({ devices, fleet }: FleetCardProps) => {
  const navigate = useNavigate();
  return (
    <HomeCard
      title={texts.title}
      area="fleet"
      data={fleet}
      head={devices && fleet && <Legend devices={devices} located={markSum(marksOf(fleet))} />}
    >
      {(points) => (
        <Suspense fallback={<div className="fleet-map" />}>
          <FleetMap
            label={t(texts.map)}
            zoomIn={t(texts.zoomIn)}
            zoomOut={t(texts.zoomOut)}
            marks={marksOf(points)}
            hues={hues}
            describe={describe}
            onOpen={({ id }) => id !== undefined && void navigate(homeLinks.device(id))}
          />
        </Suspense>
      )}
    </HomeCard>
  );
};
