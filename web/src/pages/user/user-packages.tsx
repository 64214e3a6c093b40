import type { Text } from '@farlink/contract/kit/text.ts';
import { bytesText, spanText, speedText } from '@farlink/contract/kit/units.ts';
import { holdingStatus } from '@farlink/contract/user/choices.ts';
import type { Left, PackageHolding } from '@farlink/contract/user/user-detail.ts';
import { useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { ReadFailed } from '../../kit/chrome/read-failed.tsx';
import { tips } from '../../ui/browser/tip.ts';
import { ProgressBar } from '../../ui/charts/progress-bar.tsx';
import { dateText, numberText, timeText } from '../../ui/format.ts';
import { Tag } from '../../ui/native/tag.tsx';
import { useServiceStatus } from './use-service-status.ts';

const texts = {
  title: ['套餐用量', 'Package usage'],
  flow: ['流量已用', 'Data used'],
  time: ['时长已用', 'Time used'],
  cycle: ['本周期已用', 'Used this cycle'],
  inUse: ['使用中', 'In use'],
  first: ['首先使用', 'First in line'],
  next: ['第{0}顺位', 'No. {0} in line'],
  extra: ['加油包', 'Extra'],
  left: ['剩 {0} / {1}', '{0} of {1} left'],
  cycleLeft: ['剩 {0} / {1}，{2} 重置', '{0} of {1} left, reset on {2}'],
  exact: ['已用 {0} / {1} 字节', '{0} of {1} bytes used'],
  until: ['至 {0}', 'until {0}'],
  waits: ['首次使用后开始计时', 'Starts with the first use'],
  speeds: ['↑{0} ↓{1}', '↑{0} ↓{1}'],
  none: ['没有套餐', 'No packages'],
  more: ['显示其余 {0} 个', 'Show {0} more'],
  fewer: ['收起', 'Show fewer'],
} as const satisfies Record<string, Text>;

const initialCount = 3;

type Unit = 'bytes' | 'seconds';
const size = (unit: Unit, amount: number) => (unit === 'bytes' ? bytesText(amount) : t(spanText(amount)));
const shareOf = ({ used, capacity }: Left) => (capacity > 0 ? (Math.min(used, capacity) / capacity) * 100 : 100);

interface Meter {
  readonly label: Text;
  readonly exact: string | undefined;
  readonly percent: number;
  readonly text: string;
}

const meter = (label: Text, unit: Unit, of: Left): Meter => ({
  label,
  percent: shareOf(of),
  exact: unit === 'bytes' ? t(texts.exact, numberText(of.used), numberText(of.capacity)) : undefined,
  text: t(texts.left, size(unit, of.left), size(unit, of.capacity)),
});

/** The cycle quota comes first, because it ends first. */
const metersOf = ({ cycle, flow, time }: PackageHolding): Meter[] => [
  ...(cycle ? [{ ...meter(texts.cycle, cycle.unit, cycle), text: cycleText(cycle) }] : []),
  ...(flow ? [meter(texts.flow, 'bytes', flow)] : []),
  ...(time ? [meter(texts.time, 'seconds', time)] : []),
];

const cycleText = (cycle: NonNullable<PackageHolding['cycle']>) =>
  t(texts.cycleLeft, size(cycle.unit, cycle.left), size(cycle.unit, cycle.capacity), timeText(cycle.resets_at));

const endText = ({ ends_at, activated_at }: PackageHolding) =>
  ends_at !== null ? t(texts.until, dateText(ends_at)) : activated_at === null ? t(texts.waits) : '';

const Holding = ({ holding }: { readonly holding: PackageHolding }) => {
  const status = holdingStatus.find((each) => each.id === holding.status);
  const speeds = t(texts.speeds, t(speedText(holding.up_speed)), t(speedText(holding.down_speed)));
  return (
    <li className="holding" data-over={holding.turn === null}>
      <div className="holding-head">
        <strong className="clip" data-tip="">
          {holding.package_name}
        </strong>
        {holding.kind === 'extra' && <Tag color="cyan">{t(texts.extra)}</Tag>}
        {holding.turn === 1 && holding.status === 'normal' ? (
          <Tag color="green">{t(texts.inUse)}</Tag>
        ) : (
          status && <Tag color={status.color}>{t(status.label)}</Tag>
        )}
        {holding.turn !== null && (holding.turn > 1 || holding.status !== 'normal') && (
          <span className="muted">{holding.turn === 1 ? t(texts.first) : t(texts.next, holding.turn)}</span>
        )}
        <span className="spring" />
        <span className="muted">{speeds}</span>
      </div>
      {metersOf(holding).map(({ label, percent, text, exact }) => (
        <div className="small holding-meter" key={label[1]}>
          <span className="muted">{t(label)}</span>
          <ProgressBar percent={percent} label={`${holding.package_name} ${t(label)}`} />
          <span className="muted" data-tip={exact}>
            {text}
          </span>
        </div>
      ))}
      <div className="muted small holding-facts">
        <span>{endText(holding)}</span>
      </div>
    </li>
  );
};

/** Packages of an account in the order of use. */
export const UserPackages = ({ id }: { readonly id: number }) => {
  const { data, isError, refetch } = useServiceStatus(id);
  const [all, setAll] = useState(false);
  const holdings = data?.holdings ?? [];
  const shown = all ? holdings : holdings.slice(0, initialCount);
  return (
    <section className="card user-section" aria-label={t(texts.title)} {...tips}>
      <h3>{t(texts.title)}</h3>
      {isError && !data && <ReadFailed retry={refetch} />}
      {data && holdings.length === 0 && <p className="muted">{t(texts.none)}</p>}
      <ul>
        {shown.map((holding) => (
          <Holding key={holding.id} holding={holding} />
        ))}
      </ul>
      {holdings.length > initialCount && (
        <button type="button" className="act" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t(texts.fewer) : t(texts.more, holdings.length - initialCount)}
        </button>
      )}
    </section>
  );
};
