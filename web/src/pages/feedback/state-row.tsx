import { clockText } from '../../ui/format.ts';

export interface RowSpan {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'idle' | 'use';
}

export interface Period {
  readonly start: number;
  readonly end: number;
  /** The time of the feedback. */
  readonly at: number;
}

const shareOf = ({ start, end }: Period, at: number) => (100 * (at - start)) / Math.max(1, end - start);
const minuteText = (at: number) => clockText(at).slice(0, 5);

interface StateRowProps {
  readonly name: string;
  readonly spans: readonly RowSpan[];
  readonly period: Period;
  /** Shown if nothing is known. */
  readonly none: string;
}

/** The states of one subject over time, as colored bars. */
export const StateRow = ({ name, spans, period, none }: StateRowProps) => {
  const summary = spans.map(({ start, end, text }) => `${minuteText(start)}-${minuteText(end)} ${text}`).join(', ');
  return (
    <div className="context-row">
      <span className="cut muted">{name}</span>
      <div className="context-bar" role="img" aria-label={`${name}: ${summary || none}`}>
        {spans.length === 0 && <span className="muted small context-none">{none}</span>}
        {spans.map((span) => (
          <span
            key={`${span.start} ${span.text}`}
            className={`context-span context-${span.tone}`}
            style={{ left: `${shareOf(period, span.start)}%`, width: `${shareOf(period, span.end) - shareOf(period, span.start)}%` }}
            data-tip={`${span.text} ${minuteText(span.start)}-${minuteText(span.end)}`}
          >
            {span.text}
          </span>
        ))}
        <span className="context-now" style={{ left: `${shareOf(period, period.at)}%` }} />
      </div>
    </div>
  );
};

const ticks = 4;

/** Clock times below the rows; the time of the feedback is marked. */
export const TimeAxis = ({ period, label }: { readonly period: Period; readonly label: string }) => {
  const times = Array.from({ length: ticks + 1 }, (_, i) => period.start + ((period.end - period.start) * i) / ticks);
  // A time next to the mark would cover it.
  const isFree = (at: number) => Math.abs(shareOf(period, at) - shareOf(period, period.at)) > 12;
  return (
    <div className="context-row" aria-hidden="true">
      <span />
      <div className="muted small context-times">
        {times.filter(isFree).map((at) => (
          <span key={at} style={{ left: `${shareOf(period, at)}%` }}>
            {minuteText(at)}
          </span>
        ))}
        <strong style={{ left: `${shareOf(period, period.at)}%` }}>{`${label} ${minuteText(period.at)}`}</strong>
      </div>
    </div>
  );
};
