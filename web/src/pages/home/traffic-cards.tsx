import type { ApplicationFigures } from '@farlink/contract/home/summary.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import type { TrafficTrend } from '@farlink/contract/traffic/traffic.ts';
import { t } from '../../kit/chrome/lang.ts';
import { LinkedText } from '../../kit/list/linked-text.tsx';
import { RankChart } from '../../ui/charts/chart.tsx';
import { StackChart } from '../../ui/charts/stack-chart.tsx';
import { clockText, monthDayText } from '../../ui/format.ts';
import { HomeCard } from './home-card.tsx';
import { homeLinks } from './home-links.ts';

const texts = {
  traffic: ['近7天业务流量趋势', 'Business traffic, last 7 days'],
  applications: ['应用流量TOP10', 'Top 10 applications by traffic'],
  up: ['上行', 'Up'],
  down: ['下行', 'Down'],
  total: ['合计', 'Total'],
  before: ['前7天', '7 days before'],
  from: ['选择范围的开始', 'Start of the selection'],
  to: ['选择范围的结束', 'End of the selection'],
  help: ['方向键读数', 'Arrow keys show values'],
  period: ['每日流量', 'Traffic by day'],
  asOf: ['数据截至 {0}', 'As of {0}'],
  ranked: ['近7天', 'Last 7 days'],
  noTraffic: ['近7天没有流量', 'No traffic in the last 7 days'],
  noApplications: ['近7天没有应用流量', 'No application traffic in the last 7 days'],
} as const satisfies Record<string, Text>;

const isNone = ({ up_bytes, down_bytes }: TrafficTrend) => [...up_bytes, ...down_bytes].every((bytes) => bytes === 0);

export const TrafficCard = ({ traffic }: { readonly traffic: TrafficTrend | null | undefined }) => (
  <HomeCard
    title={texts.traffic}
    area="traffic"
    data={traffic}
    link={homeLinks.traffic()}
    head={
      traffic?.as_of && (
        <span className="muted">{t(texts.asOf, `${monthDayText(traffic.as_of)} ${clockText(traffic.as_of).slice(0, 5)}`)}</span>
      )
    }
  >
    {(trend) =>
      isNone(trend) ? (
        <p className="muted home-none">{t(texts.noTraffic)}</p>
      ) : (
        <StackChart
          title={t(texts.period)}
          start={trend.start_at}
          step={trend.step}
          series={[
            { name: t(texts.down), values: trend.down_bytes, before: trend.previous.down_bytes },
            { name: t(texts.up), values: trend.up_bytes, before: trend.previous.up_bytes },
          ]}
          texts={{ total: t(texts.total), before: t(texts.before), from: t(texts.from), to: t(texts.to), help: t(texts.help) }}
          text={bytesText}
        />
      )
    }
  </HomeCard>
);

export const ApplicationCard = ({ applications }: { readonly applications: ApplicationFigures | null | undefined }) => (
  <HomeCard title={texts.applications} area="applications" data={applications} link={homeLinks.applications()}>
    {({ list }) =>
      list.length === 0 ? (
        <p className="muted home-none">{t(texts.noApplications)}</p>
      ) : (
        <RankChart
          title={t(texts.ranked)}
          points={list.map(({ id, name, total_bytes, percent }) => ({
            label: name,
            value: total_bytes,
            text: `${bytesText(total_bytes)} · ${percent}%`,
            link: (label) => <LinkedText text={label} href={homeLinks.application(id)} />,
          }))}
        />
      )
    }
  </HomeCard>
);
