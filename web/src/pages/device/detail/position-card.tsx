import type { DeviceNow } from '@farlink/contract/device/device-detail.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { lazy, Suspense, useState } from 'react';
import { lang, t } from '../../../kit/chrome/lang.ts';
import { ReadFailed } from '../../../kit/chrome/read-failed.tsx';
import { tips } from '../../../ui/browser/tip.ts';
import { relativeText, timeText } from '../../../ui/format.ts';
import { SegmentedRow } from '../../../ui/native/segmented-row.tsx';
import { useTrack } from './use-device.ts';

const WorldMap = lazy(() => import('../../../ui/maps/world-map.tsx'));

const texts = {
  title: ['位置与航迹', 'Position and track'],
  range: ['航迹时长', 'Length of the track'],
  unknown: ['网关尚未上报位置', 'The gateway has not reported its position'],
  knots: ['{0} 节', '{0} kn'],
  zoomIn: ['放大', 'Zoom in'],
  zoomOut: ['缩小', 'Zoom out'],
  lastSeen: ['最后位置', 'Last seen'],
} as const satisfies Record<string, Text>;

const ranges = [
  { hours: 24, label: ['24小时', '24 h'] },
  { hours: 72, label: ['3天', '3 days'] },
  { hours: 168, label: ['7天', '7 days'] },
  { hours: 720, label: ['30天', '30 days'] },
] as const satisfies readonly { hours: number; label: Text }[];

const degrees = (value: number, [positive, negative]: readonly [string, string]) =>
  `${Math.abs(value).toFixed(4)}°${value >= 0 ? positive : negative}`;

/** Below this speed in knots the heading is noise. */
const moving = 0.5;

const Reading = ({ position, isHere }: { readonly position: NonNullable<DeviceNow['position']>; readonly isHere: boolean }) => {
  const { lat, lon, sog, cog, at } = position;
  const facts = [
    isHere ? '' : t(texts.lastSeen),
    `${degrees(lat, ['N', 'S'])} ${degrees(lon, ['E', 'W'])}`,
    sog === null ? '' : t(texts.knots, sog.toFixed(1)),
    cog === null || (sog ?? 0) < moving ? '' : `${Math.round(cog)}°`,
  ];
  return (
    <span className="muted clip" data-tip={timeText(at)}>
      {facts.filter(Boolean).join(' · ')} · {relativeText(at, lang)}
    </span>
  );
};

export const PositionCard = ({
  id,
  now,
  isHere,
}: {
  readonly id: number;
  readonly now: DeviceNow | undefined;
  readonly isHere: boolean;
}) => {
  const [hours, setHours] = useState(24);
  const { data: track, isError, refetch } = useTrack(id, hours);
  const position = now?.position ?? undefined;
  const ways = track?.list ?? [];
  const shownPosition = position ?? ways.at(-1);
  return (
    <section className="card device-section position-card" aria-label={t(texts.title)} {...tips}>
      <div className="row device-section-head">
        <h3>{t(texts.title)}</h3>
        <span className="spring" />
        <SegmentedRow
          label={t(texts.range)}
          value={String(hours)}
          onSelect={(id) => setHours(Number(id))}
          options={ranges.map((r) => ({ id: String(r.hours), label: t(r.label) }))}
        />
      </div>
      {position && <Reading position={position} isHere={isHere} />}
      {!position && (isError && !track ? <ReadFailed retry={refetch} /> : <span />)}
      <div className="position-map">
        {now && track && !shownPosition ? (
          <p className="muted position-none">{t(texts.unknown)}</p>
        ) : (
          <Suspense>
            <WorldMap
              label={t(texts.title)}
              zoomIn={t(texts.zoomIn)}
              zoomOut={t(texts.zoomOut)}
              track={ways}
              position={shownPosition}
              heading={position && (position.sog ?? 0) >= moving ? (position.cog ?? undefined) : undefined}
              isLive={isHere}
              range={`${hours} ${ways.length > 0}`}
            />
          </Suspense>
        )}
      </div>
    </section>
  );
};
