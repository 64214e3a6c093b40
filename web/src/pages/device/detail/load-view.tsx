import { type LoadPoint, load, loadCalls } from '@farlink/contract/device/load.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { call } from '../../../kit/net/call.ts';
import { tips } from '../../../ui/browser/tip.ts';
import { LineChart, type LineSeries } from '../../../ui/charts/line-chart.tsx';
import { medianStep } from '../../../ui/charts/line-path.ts';
import { numberText } from '../../../ui/format.ts';
import { Button } from '../../../ui/native/button.tsx';
import { EmptyState } from '../../../ui/native/empty-state.tsx';
import { SegmentedRow } from '../../../ui/native/segmented-row.tsx';
import { LoadTable } from './load-table.tsx';
import './load.css';

const texts = {
  range: ['时间范围', 'Range'],
  usage: ['使用率', 'Usage'],
  peak: ['峰值', 'peak'],
  none: ['该时间段没有采样', 'No samples in this period'],
  noneHint: ['网关在线时按采集周期上报', 'Online gateways report at their sampling interval'],
  failed: ['负载加载失败', 'The load data could not be loaded'],
  retry: ['重试', 'Retry'],
  summary: ['{0}平均 {1}，最高 {2}', '{0}: average {1}, maximum {2}'],
} as const satisfies Record<string, Text>;

const hour = 3600;
const ranges = [
  { seconds: hour, label: ['1小时', '1 h'] },
  { seconds: 24 * hour, label: ['24小时', '24 h'] },
  { seconds: 7 * 24 * hour, label: ['7天', '7 days'] },
  { seconds: 30 * 24 * hour, label: ['30天', '30 days'] },
  { seconds: 365 * 24 * hour, label: ['1年', '1 year'] },
] as const satisfies readonly { seconds: number; label: Text }[];

const everyMs = 60_000;
const { fields } = load;
const percent = (value: number) => `${Math.round(value)}%`;
const degrees = (value: number) => `${Math.round(value)}℃`;

const seriesOf = (
  list: readonly LoadPoint[],
  name: Text,
  value: (p: LoadPoint) => number | null,
  text: (v: number) => string,
  peak?: (p: LoadPoint) => number,
): LineSeries => ({
  name: t(name),
  values: list.map(value),
  text,
  ...(peak && { peaks: list.map(peak) }),
});

const summaryOf = (series: readonly LineSeries[]) =>
  series
    .flatMap(({ name, values, peaks, text }) => {
      const known = values.filter((v) => v !== null);
      if (known.length === 0) return [];
      const max = Math.max(...known, ...(peaks ?? []).filter((v) => v !== null));
      return [t(texts.summary, name, text(known.reduce((sum, v) => sum + v, 0) / known.length), text(max))];
    })
    .join('; ');

/** Load of a gateway over time, as chart and table. `head` is next to the time range. */
export const LoadView = ({ id, head }: { readonly id: number; readonly head?: ReactNode }) => {
  const [seconds, setSeconds] = useState(24 * hour);
  const { data, isError, refetch } = useQuery({
    queryKey: ['device', 'load', id, seconds],
    queryFn: () => {
      const end_at = Math.floor(Date.now() / 1000);
      return call(loadCalls.series, { device_id: id, start_at: end_at - seconds, end_at }, { silent: true });
    },
    placeholderData: (previous) => previous,
    refetchInterval: everyMs,
  });
  const list = data?.list ?? [];
  const chart = (title: Text, series: readonly LineSeries[], range?: readonly [number, number]) => (
    <LineChart
      title={t(title)}
      start={data?.start_at ?? 0}
      end={data?.end_at ?? 1}
      times={list.map((p) => p.time)}
      gap={Math.max(3 * (data?.step ?? 60), 4 * medianStep(list.map((p) => p.time)), 600)}
      series={series}
      {...(range && { range })}
      peakLabel={t(texts.peak)}
      summary={summaryOf(series)}
    />
  );
  return (
    <div className="load-view" {...tips}>
      <div className="toolbar">
        <SegmentedRow
          label={t(texts.range)}
          value={String(seconds)}
          onSelect={(id) => setSeconds(Number(id))}
          options={ranges.map((r) => ({ id: String(r.seconds), label: t(r.label) }))}
        />
        <span className="spring" />
        {head}
      </div>
      {isError && !data && (
        <EmptyState title={t(texts.failed)}>
          <Button onClick={() => void refetch()}>{t(texts.retry)}</Button>
        </EmptyState>
      )}
      {data && list.length === 0 && <EmptyState title={t(texts.none)} hint={t(texts.noneHint)} />}
      {list.length > 0 && (
        <>
          {chart(
            texts.usage,
            [
              seriesOf(
                list,
                fields.cpu.label,
                (p) => p.cpu,
                percent,
                (p) => p.cpu_max,
              ),
              seriesOf(
                list,
                fields.memory.label,
                (p) => p.memory,
                percent,
                (p) => p.memory_max,
              ),
              seriesOf(list, fields.disk.label, (p) => p.disk, percent),
            ],
            [0, 100],
          )}
          <div className="load-pair">
            {chart(fields.session_count.label, [
              seriesOf(
                list,
                fields.session_count.label,
                (p) => p.session_count,
                (v) => numberText(Math.round(v)),
              ),
            ])}
            {chart(fields.temperature.label, [seriesOf(list, fields.temperature.label, (p) => p.temperature, degrees)])}
          </div>
          <LoadTable points={list} />
        </>
      )}
    </div>
  );
};
export default LoadView;
