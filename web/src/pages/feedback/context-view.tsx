import { linkState, onlineState } from '@farlink/contract/device/choices.ts';
import { feedbackCalls } from '@farlink/contract/feedback/feedback.ts';
import type { FeedbackContext } from '@farlink/contract/feedback/feedback-context.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import { eventKind } from '@farlink/contract/protocol/event.ts';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../kit/chrome/lang.ts';
import { call } from '../../kit/net/call.ts';
import { tips } from '../../ui/browser/tip.ts';
import { LineChart } from '../../ui/charts/line-chart.tsx';
import { medianStep } from '../../ui/charts/line-path.ts';
import { clockText } from '../../ui/format.ts';
import { Button } from '../../ui/native/button.tsx';
import { EmptyState } from '../../ui/native/empty-state.tsx';
import { Tag } from '../../ui/native/tag.tsx';
import { type RowSpan, StateRow, TimeAxis } from './state-row.tsx';

const texts = {
  title: ['当时的设备状态', 'Device at that time'],
  hint: ['反馈前后30分钟', '30 minutes before and after the feedback'],
  failed: ['设备状态加载失败', 'The device state could not be loaded'],
  retry: ['重试', 'Retry'],
  unknown: ['无记录', 'No records'],
  device: ['设备', 'Device'],
  current: ['使用链路', 'Link in use'],
  session: ['账号会话', 'Account session'],
  online: ['在线', 'Online'],
  up: ['在线', 'Up'],
  down: ['离线', 'Down'],
  feedback: ['反馈', 'Feedback'],
  load: ['设备负载', 'Device load'],
  cpu: ['CPU', 'CPU'],
  memory: ['内存', 'Memory'],
  traffic: ['流量速率', 'Traffic'],
  upload: ['上行', 'Up'],
  download: ['下行', 'Down'],
  peak: ['峰值', 'peak'],
  events: ['设备事件', 'Device events'],
  noEvents: ['该时间段没有事件', 'No events in this period'],
  highest: ['{0}最高 {1}', '{0}: maximum {1}'],
} as const satisfies Record<string, Text>;

const labelOf = (options: readonly { readonly id: string | number; readonly label: Text }[], id: string | number) =>
  t(options.find((option) => option.id === id)?.label ?? [String(id), String(id)]);

const rowsOf = ({ online, current, links, aps, sessions }: FeedbackContext): readonly { name: string; spans: readonly RowSpan[] }[] => [
  {
    name: t(texts.device),
    spans: online.map((span) => ({
      ...span,
      text: labelOf(onlineState, span.state === 'on' ? 1 : 0),
      tone: span.state === 'on' ? 'good' : 'bad',
    })),
  },
  { name: t(texts.current), spans: current.map((span) => ({ ...span, text: span.state, tone: 'use' })) },
  ...links.map(({ name, spans }) => ({
    name,
    spans: spans.map((span) => ({
      ...span,
      text: labelOf(linkState, span.state),
      tone: span.state === 'on' ? ('good' as const) : span.state === 'off' ? ('idle' as const) : ('bad' as const),
    })),
  })),
  ...aps.map(({ name, spans }) => ({
    name: `AP ${name}`,
    spans: spans.map((span) => ({
      ...span,
      text: t(span.state === 'up' ? texts.up : texts.down),
      tone: span.state === 'up' ? ('good' as const) : ('bad' as const),
    })),
  })),
  {
    name: t(texts.session),
    spans: sessions.map(({ start, end, up_bytes, down_bytes }) => ({
      start,
      end,
      text: `${t(texts.online)} ↑${bytesText(up_bytes)} ↓${bytesText(down_bytes)}`,
      tone: 'use',
    })),
  },
];

const percent = (value: number) => `${Math.round(value)}%`;
const perSecond = (value: number) => `${bytesText(value)}/s`;
/** A gap of ten minutes breaks the line, unless samples are rarer. */
const gapS = 600;

interface ChartProps {
  readonly title: Text;
  readonly context: FeedbackContext;
  readonly times: readonly number[];
  readonly lines: readonly { readonly name: Text; readonly values: readonly number[] }[];
  readonly text: (value: number) => string;
  readonly range?: readonly [number, number];
}

const ContextChart = ({ title, context, times, lines, text, range }: ChartProps) => (
  <LineChart
    title={t(title)}
    start={context.start}
    end={context.end}
    times={times}
    gap={Math.max(gapS, 3 * medianStep(times))}
    series={lines.map(({ name, values }) => ({ name: t(name), values, text }))}
    {...(range && { range })}
    peakLabel={t(texts.peak)}
    summary={lines.map(({ name, values }) => t(texts.highest, t(name), text(Math.max(0, ...values)))).join(', ')}
  />
);

const Charts = ({ context }: { readonly context: FeedbackContext }) => {
  const { load, flow } = context;
  return (
    <div className="context-charts">
      {load.length > 0 && (
        <ContextChart
          title={texts.load}
          context={context}
          times={load.map(({ at }) => at)}
          lines={[
            { name: texts.cpu, values: load.map(({ cpu }) => cpu) },
            { name: texts.memory, values: load.map(({ memory }) => memory) },
          ]}
          text={percent}
          range={[0, 100]}
        />
      )}
      {flow.length > 0 && (
        <ContextChart
          title={texts.traffic}
          context={context}
          times={flow.map(({ at }) => at)}
          lines={[
            { name: texts.download, values: flow.map(({ down }) => down) },
            { name: texts.upload, values: flow.map(({ up }) => up) },
          ]}
          text={perSecond}
        />
      )}
    </div>
  );
};

const Events = ({ events }: Pick<FeedbackContext, 'events'>) => (
  <>
    <h4>{t(texts.events)}</h4>
    {events.length === 0 && <p className="muted">{t(texts.noEvents)}</p>}
    <ul className="context-events">
      {events.map(({ at, kind, content }) => (
        <li key={`${at} ${kind} ${content}`}>
          <time className="mono">{clockText(at)}</time>
          <Tag color={eventKind.find(({ id }) => id === kind)?.color}>{labelOf(eventKind, kind)}</Tag>
          <span>{content}</span>
        </li>
      ))}
    </ul>
  </>
);

/** States and events of the device, its links and the sessions of the account around the time of a feedback. */
export const ContextView = ({ id }: { readonly id: number }) => {
  const {
    data: context,
    isError,
    refetch,
  } = useQuery({
    queryKey: ['feedback', 'context', id],
    queryFn: () => call(feedbackCalls.around, { id }, { silent: true, overlay: false }),
    retry: false,
  });
  return (
    <section className="feedback-context" aria-label={t(texts.title)} {...tips}>
      <h3>
        {t(texts.title)} <small className="muted">{t(texts.hint)}</small>
      </h3>
      {isError && (
        <EmptyState title={t(texts.failed)}>
          <Button onClick={() => void refetch()}>{t(texts.retry)}</Button>
        </EmptyState>
      )}
      {context && (
        <>
          {rowsOf(context).map(({ name, spans }) => (
            <StateRow key={name} name={name} spans={spans} period={context} none={t(texts.unknown)} />
          ))}
          <TimeAxis period={context} label={t(texts.feedback)} />
          <Charts context={context} />
          <Events events={context.events} />
        </>
      )}
    </section>
  );
};
