import type { Text } from '@farlink/contract/kit/text.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { TrafficRank, TrafficShare } from '@farlink/contract/traffic/traffic.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type ChartPoint, RankChart } from '../../ui/charts/chart.tsx';
import { t } from '../chrome/lang.ts';
import { ReadFailed } from '../chrome/read-failed.tsx';
import { LinkedText } from '../list/linked-text.tsx';
import type { Filters } from '../list/list-state.ts';
import { otherBytes, routeWith } from './rank-links.ts';

const texts = {
  applications: ['应用流量排行', 'Traffic by application'],
  accounts: ['用户排行', 'Users'],
  devices: ['设备排行', 'Devices'],
  others: ['其他', 'Others'],
  unattributed: ['未归属账号', 'No account'],
  unnamed: ['已转出的设备', 'Transferred device'],
  back: ['返回全部应用', 'All applications'],
} as const satisfies Record<string, Text>;

interface RankPanelProps {
  readonly name: string;
  readonly fetch: (filters: Values) => Promise<TrafficRank>;
  readonly filters: Filters;
  readonly route: string;
  /** On the page of a device or user: the filters that each link keeps. */
  readonly link?: Filters;
}

/** Applications by traffic. A click on one shows its users and devices; a click on those shows their applications. */
export const RankPanel = ({ name, fetch, filters, route, link }: RankPanelProps) => {
  const { data, isError, refetch } = useQuery({
    queryKey: ['traffic', name, 'rank', filters],
    queryFn: () => fetch(filters),
    placeholderData: (previous) => previous,
    retry: false,
  });
  if (isError && !data) return <ReadFailed retry={refetch} />;
  if (!data || data.total_bytes === 0) return null;
  const hrefOf = (subject: Filters) =>
    link ? `${route}?${new URLSearchParams({ ...link, ...subject })}` : routeWith(route, filters, subject);
  const pointsOf = (shares: readonly TrafficShare[], param: string, unnamed: Text): ChartPoint[] =>
    shares.map((share) => ({
      label: share.name || t(unnamed),
      value: share.total_bytes,
      text: `${bytesText(share.total_bytes)} · ${share.percent}%`,
      link: share.name ? (label) => <LinkedText text={label} href={hrefOf({ [param]: share.id })} /> : undefined,
    }));
  const rest = otherBytes(data.applications, data.total_bytes);
  const applications = pointsOf(data.applications, 'protocol_id', texts.others);
  const others = rest > 0 ? [{ label: t(texts.others), value: rest, text: bytesText(rest) }] : [];
  const isNarrow = ['protocol_id', 'account', 'device_id'].some((param) => filters[param] !== undefined);
  // On the page of a device or user, a ranking with that subject only is hidden.
  const minCount = link ? 1 : 0;
  return (
    <div className="traffic-rank-panel">
      {!link && isNarrow && (
        <Link className="act traffic-back" to={routeWith(route, filters, {})}>
          ← {t(texts.back)}
        </Link>
      )}
      <div className="traffic-ranks">
        <RankChart title={t(texts.applications)} points={[...applications, ...others]} />
        {data.accounts.length > minCount && (
          <RankChart title={t(texts.accounts)} points={pointsOf(data.accounts, 'account', texts.unattributed)} />
        )}
        {data.devices.length > minCount && (
          <RankChart title={t(texts.devices)} points={pointsOf(data.devices, 'device_id', texts.unnamed)} />
        )}
      </div>
    </div>
  );
};
