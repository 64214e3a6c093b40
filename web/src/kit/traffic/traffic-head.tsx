import type { Text } from '@farlink/contract/kit/text.ts';
import { zoneName } from '@farlink/contract/kit/zone.ts';
import { timeText } from '../../ui/format.ts';
import { t } from '../chrome/lang.ts';

const texts = {
  period: ['统计期间 {0} 至 {1}（{2}）', 'Period {0} to {1} ({2})'],
  asOf: ['数据截至 {0}', 'As of {0}'],
  pending: ['数据尚未汇总', 'Not summarised yet'],
} as const satisfies Record<string, Text>;

interface Period {
  readonly start_at: number;
  readonly end_at: number;
  readonly as_of: number | null;
}

/** Period of the figures, and the time until which they are complete. */
export const TrafficHead = ({ period }: { readonly period: Period | undefined }) => (
  <p className="traffic-head muted">
    {period && (
      <>
        <span>{t(texts.period, timeText(period.start_at), timeText(period.end_at), zoneName)}</span>
        <span>{period.as_of === null ? t(texts.pending) : t(texts.asOf, timeText(period.as_of))}</span>
      </>
    )}
  </p>
);
