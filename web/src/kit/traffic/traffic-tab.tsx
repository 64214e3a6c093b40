import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { useState } from 'react';
import { Link } from 'react-router';
import { t } from '../chrome/lang.ts';
import { call } from '../net/call.ts';
import { TrafficTrend } from './traffic-trend.tsx';

const texts = {
  all: ['查看流量明细', 'Show the traffic list'],
  reset: ['恢复默认时间', 'Reset the period'],
} as const satisfies Record<string, Text>;

interface TrafficTabProps {
  readonly route: string;
  /** The device or the user. */
  readonly filters: Values;
  /** Filters of the list that show the same traffic; default: those of the chart. */
  readonly link?: Values;
}

/** Trend of one device or user, and a link to its rows. */
const TrafficTab = ({ route, filters, link = filters }: TrafficTabProps) => {
  const [range, setRange] = useState<Values>({});
  const query = new URLSearchParams(Object.entries({ ...link, ...range }).map(([name, value]) => [name, String(value)]));
  return (
    <div className="traffic-tab">
      <p className="traffic-modes">
        <Link className="act" to={`${route}?${query}`}>
          {t(texts.all)}
        </Link>
        {Object.keys(range).length > 0 && (
          <button type="button" className="act" onClick={() => setRange({})}>
            {t(texts.reset)}
          </button>
        )}
      </p>
      <TrafficTrend
        name="traffic-tab"
        fetch={(asked) => call(trafficCalls.businessFlowTrend, asked, { silent: true, overlay: false })}
        filters={{ ...filters, ...range }}
        onZoom={(time_start, time_end) => setRange({ time_start, time_end })}
      />
    </div>
  );
};
export default TrafficTab;
