import type { Text } from '@farlink/contract/kit/text.ts';
import type { TrafficPage as Declaration } from '@farlink/contract/traffic/traffic.ts';
import { type ReactNode, useId } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { useLocalPreference } from '../../kit/chrome/local-preference.ts';
import type { Filters } from '../../kit/list/list-state.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { useAddressState } from '../../kit/list/use-list-state.ts';
import { call } from '../../kit/net/call.ts';
import { RankPanel } from '../../kit/traffic/rank-panel.tsx';
import { TrafficTrend } from '../../kit/traffic/traffic-trend.tsx';
import { ClosedIcon } from '../../ui/theme/icons.ts';

const texts = {
  chart: ['流量图表', 'Charts'],
  clear: ['恢复默认时间', 'Reset the period'],
} as const satisfies Record<string, Text>;

const roomyHeight = 800;
const isOpen = (value: unknown): value is boolean => typeof value === 'boolean';

const quiet = { silent: true, overlay: false };

const Panel = ({ children, tools }: { readonly children: ReactNode; readonly tools: ReactNode }) => {
  const id = useId();
  const [stored, setOpen] = useLocalPreference('traffic-panel', isOpen);
  // On a low screen the panel starts collapsed.
  const open = stored ?? innerHeight >= roomyHeight;
  return (
    <section className="traffic-panel card" aria-label={t(texts.chart)}>
      <header>
        <button type="button" className="fold" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          <ClosedIcon aria-hidden rotate={open ? 90 : 0} />
          {t(texts.chart)}
        </button>
        <span className="spring" />
        {tools}
      </header>
      <div id={id} hidden={!open}>
        {open && children}
      </div>
    </section>
  );
};

/** A traffic list with its charts. A range that is selected in the chart becomes the time filter of the page. */
export const TrafficPage = ({ page }: { readonly page: Declaration }) => {
  const { trend, rank } = page;
  const { state, update } = useAddressState(page.resource);
  const { filters } = state;
  const { time_start, time_end, ...others } = filters;
  const zoom = (start: number, end: number) => {
    // A part of a month is shown by day.
    const stat: Filters = filters.stat_by === 'month' ? { stat_by: 'day' } : {};
    update({ filters: { ...filters, ...stat, time_start: String(start), time_end: String(end) }, page: 1 });
  };
  const hasRange = time_start !== undefined || time_end !== undefined;
  const reset = hasRange && (
    <button type="button" className="act" onClick={() => update({ filters: others, page: 1 })}>
      {t(texts.clear)}
    </button>
  );
  return (
    <div className="traffic-page">
      <Panel tools={reset}>
        <div className="traffic-charts">
          {rank && <RankPanel name={page.key} fetch={(params) => call(rank, params, quiet)} filters={filters} route={page.route} />}
          <TrafficTrend name={page.key} fetch={(params) => call(trend, params, quiet)} filters={filters} onZoom={zoom} />
        </div>
      </Panel>
      <ResourcePage page={page} />
    </div>
  );
};
