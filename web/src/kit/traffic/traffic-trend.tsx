import type { Text } from '@farlink/contract/kit/text.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { zoneName } from '@farlink/contract/kit/zone.ts';
import type { TrafficTrend as Trend } from '@farlink/contract/traffic/traffic.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { seriesCsv } from '../../ui/charts/chart-csv.ts';
import { HeatGrid } from '../../ui/charts/heat-grid.tsx';
import { totalsOf } from '../../ui/charts/stack.ts';
import { StackChart } from '../../ui/charts/stack-chart.tsx';
import { timeText } from '../../ui/format.ts';
import { t } from '../chrome/lang.ts';
import { ReadFailed } from '../chrome/read-failed.tsx';
import { CopyCsv } from './copy-csv.tsx';
import { TrafficHead } from './traffic-head.tsx';
import './traffic.css';

const texts = {
  title: ['流量趋势', 'Traffic trend'],
  up: ['上行', 'Up'],
  down: ['下行', 'Down'],
  total: ['合计', 'Total'],
  before: ['上一周期', 'Previous period'],
  from: ['选择范围的开始', 'Start of the selection'],
  to: ['选择范围的结束', 'End of the selection'],
  help: ['方向键读数，按住Shift选择范围，回车放大', 'Arrow keys show values, Shift selects a range, Enter zooms in'],
  compare: ['对比上一周期', 'Compare with previous'],
  heat: ['按小时分布', 'By hour of day'],
  day: ['日期', 'Day'],
  time: ['时间（{0}）', 'Time ({0})'],
  none: ['所选范围内没有流量', 'No traffic in this range'],
} as const satisfies Record<string, Text>;

interface TrafficTrendProps {
  /** Key of the query, unique for the call. */
  readonly name: string;
  readonly fetch: (filters: Values) => Promise<Trend>;
  readonly filters: Values;
  readonly onZoom?: ((start: number, end: number) => void) | undefined;
}

const hour = 3600;

const Charts = ({ trend, onZoom }: { readonly trend: Trend; readonly onZoom: TrafficTrendProps['onZoom'] }) => {
  const [isCompared, setCompared] = useState(false);
  const [isHeat, setHeat] = useState(false);
  const { start_at, step, up_bytes, down_bytes, previous } = trend;
  const totals = totalsOf([up_bytes, down_bytes]);
  if (totals.every((bytes) => bytes === 0)) return <p className="muted traffic-none">{t(texts.none)}</p>;
  const series = [
    { name: t(texts.down), values: down_bytes, ...(isCompared && { before: previous.down_bytes }) },
    { name: t(texts.up), values: up_bytes, ...(isCompared && { before: previous.up_bytes }) },
  ];
  const chartTexts = { total: t(texts.total), before: t(texts.before), from: t(texts.from), to: t(texts.to), help: t(texts.help) };
  const csvTexts = { time: t(texts.time, zoneName), before: t(texts.before) };
  const csv = () => seriesCsv({ start: start_at, step, series, timeText, texts: csvTexts });
  return (
    <>
      <div className="traffic-modes">
        <label>
          <input type="checkbox" checked={isCompared} onChange={(e) => setCompared(e.target.checked)} /> {t(texts.compare)}
        </label>
        {step === hour && (
          <label>
            <input type="checkbox" checked={isHeat} onChange={(e) => setHeat(e.target.checked)} /> {t(texts.heat)}
          </label>
        )}
        <CopyCsv csv={csv} />
      </div>
      <StackChart title={t(texts.title)} start={start_at} step={step} series={series} texts={chartTexts} text={bytesText} onZoom={onZoom} />
      {isHeat && step === hour && (
        <HeatGrid title={t(texts.heat)} dayLabel={t(texts.day)} start={start_at} values={totals} text={bytesText} />
      )}
    </>
  );
};

/** Trend of traffic with its period and the time until which it is complete. */
export const TrafficTrend = ({ name, fetch, filters, onZoom }: TrafficTrendProps) => {
  const { data, isError, refetch } = useQuery({
    queryKey: ['traffic', name, filters],
    queryFn: () => fetch(filters),
    placeholderData: (previous) => previous,
    retry: false,
  });
  if (isError && !data) return <ReadFailed retry={refetch} />;
  return (
    <div className="traffic-trend">
      <TrafficHead period={data} />
      {data ? <Charts trend={data} onZoom={onZoom} /> : <div className="traffic-wait" />}
    </div>
  );
};
