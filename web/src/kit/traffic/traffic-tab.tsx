import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { useState } from 'react';
import { Link } from 'react-router';
import { t } from '../chrome/lang.ts';
import { call } from '../net/call.ts';
import { useMe } from '../net/session.ts';
import { RankPanel } from './rank-panel.tsx';
import { TrafficTrend } from './traffic-trend.tsx';

const texts = {
  all: ['查看流量明细', 'Show the traffic list'],
  reset: ['恢复默认时间', 'Reset the period'],
} as const satisfies Record<string, Text>;

const background = { silent: true, overlay: false };
const ranked = { call: trafficCalls.dpi_usr.rank, route: '/flow/business-dpi' };
/** As URL parameters. */
const paramsOf = (values: Values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

interface TrafficTabProps {
  readonly route: string;
  /** The device or the user. */
  readonly filters: Values;
  /** Filters of the list that show the same traffic; default: those of the chart. */
  readonly link?: Values;
}

/** Trend and applications of one device or user, and a link to the rows. Applications need their own permission. */
const TrafficTab = ({ route, filters, link = filters }: TrafficTabProps) => {
  const me = useMe();
  const [range, setRange] = useState<Values>({});
  const query = new URLSearchParams(paramsOf({ ...link, ...range }));
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
        fetch={(params) => call(trafficCalls.flow_usr.trend, params, background)}
        filters={{ ...filters, ...range }}
        onZoom={(time_start, time_end) => setRange({ time_start, time_end })}
      />
      {mayCall(ranked.call, me) && (
        <RankPanel
          name="traffic-tab"
          fetch={(params) => call(ranked.call, params, background)}
          filters={paramsOf({ ...filters, ...range })}
          route={ranked.route}
          link={paramsOf({ ...link, ...range })}
        />
      )}
    </div>
  );
};
export default TrafficTab;
