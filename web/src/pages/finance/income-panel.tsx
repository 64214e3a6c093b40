import type { BillChart, BillSum } from '@farlink/contract/finance/bill.ts';
import { priceText, yuan } from '@farlink/contract/kit/money.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { useLocalPreference } from '../../kit/chrome/local-preference.ts';
import { type ChartPoint, DayChart, RankChart } from '../../ui/charts/chart.tsx';
import { ClosedIcon } from '../../ui/theme/icons.ts';
import { BooksBadge } from './books-badge.tsx';
import { dayOf, everyDay, totalOf } from './income-days.ts';
import './finance.css';

const texts = {
  title: ['收入概览', 'Income overview'],
  range: ['统计期间 {0} 至 {1}（UTC+8）', 'Period {0} to {1} (UTC+8)'],
  recent: [
    '统计期间：最近 30 天，{0} 至 {1}（UTC+8）；下方列表不限时间',
    'Period: last 30 days, {0} to {1} (UTC+8). The list below is not limited',
  ],
  income: ['收入', 'Income'],
  net: ['净收入', 'Net income'],
  day: ['日期', 'Day'],
  byDay: ['按日收入（元）', 'Income by day (yuan)'],
  byVno: ['按VNO收入（元）', 'Income by VNO (yuan)'],
  byPackage: ['按套餐收入（元）', 'Income by package (yuan)'],
  other: ['其他', 'Others'],
  unnamed: ['无套餐名', 'No package name'],
  none: ['所选范围内没有收入', 'No income in this range'],
  failed: ['图表加载失败', 'The chart could not be loaded'],
} as const satisfies Record<string, Text>;

const minOpenHeight = 800;
const isOpen = (value: unknown): value is boolean => typeof value === 'boolean';

/** The largest sums, and the rest as one entry. */
const rank = (sums: readonly BillSum[], total: bigint): ChartPoint[] => {
  const rest = total - totalOf(sums, 'income');
  const all = [
    ...sums.map((s) => ({ label: s.label === '' ? t(texts.unnamed) : s.label, income: s.income })),
    ...(rest > 0n ? [{ label: t(texts.other), income: yuan(rest) }] : []),
  ];
  return all.map(({ label, income }) => ({ label, value: Number(income), text: priceText(income) }));
};

/** Without a time filter the chart covers the last days only, but the list has no limit. */
const isLimited = ({ create_at_start, create_at_end }: Values) => create_at_start !== undefined || create_at_end !== undefined;

const Charts = ({ chart }: { readonly chart: BillChart }) => {
  if (chart.days.length === 0) return <p className="muted income-none">{t(texts.none)}</p>;
  const total = totalOf(chart.days, 'income');
  const points = everyDay(chart.days, chart.start_at, chart.end_at).map((d) => ({
    label: d.label,
    value: Number(d.income),
    text: priceText(d.income),
    line: Number(d.net_income),
    lineText: priceText(d.net_income),
  }));
  return (
    <div className="income-charts">
      <DayChart title={t(texts.byDay)} head={[t(texts.day), t(texts.income), t(texts.net)]} points={points} />
      <RankChart title={t(texts.byVno)} points={rank(chart.vnos, total)} />
      <RankChart title={t(texts.byPackage)} points={rank(chart.packages, total)} />
    </div>
  );
};

interface IncomePanelProps {
  readonly name: string;
  readonly chart: (filters: Values) => Promise<BillChart>;
  readonly filters: Values;
}

/** Above a bill list: the ledger check and, unless collapsed, the income charts for the same filters. */
export const IncomePanel = ({ name, chart: fetchChart, filters }: IncomePanelProps) => {
  const id = useId();
  const [stored, setOpen] = useLocalPreference('income-panel', isOpen);
  // On a low screen the panel starts collapsed.
  const open = stored ?? innerHeight >= minOpenHeight;
  const { data, isError, isPending } = useQuery({
    queryKey: ['chart', name, filters],
    queryFn: () => fetchChart(filters),
    enabled: open,
    placeholderData: (previous) => previous,
    retry: false,
  });
  return (
    <section className="income-panel card" aria-label={t(texts.title)}>
      <header className="row wrap">
        <button type="button" className="fold" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          <ClosedIcon aria-hidden rotate={open ? 90 : 0} />
          {t(texts.title)}
        </button>
        {open && data && (
          <span className="muted">
            {t(isLimited(filters) ? texts.range : texts.recent, dayOf(data.start_at), dayOf(data.end_at))} · {t(texts.income)}{' '}
            {priceText(totalOf(data.days, 'income'))} · {t(texts.net)} {priceText(totalOf(data.days, 'net_income'))}
          </span>
        )}
        <span className="spring" />
        <BooksBadge />
      </header>
      <div id={id} hidden={!open}>
        {open && data && <Charts chart={data} />}
        {open && isPending && <div className="income-charts" />}
        {open && isError && <p className="muted income-none">{t(texts.failed)}</p>}
      </div>
    </section>
  );
};
