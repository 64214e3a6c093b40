import { zoneName } from '@farlink/contract/kit/zone.ts';
import { DatePicker } from 'antd';
import type { Dayjs } from 'dayjs';
import { endOfPicked, fromPicked, nowPicked, startOfPicked, toPicked } from '../native/picked-time.ts';

interface DateTimeProps {
  readonly id: string;
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
  readonly status: 'error' | undefined;
  /** A day, until its last second. */
  readonly isDay: boolean;
  /** A day, from its first second. */
  readonly isStart?: boolean;
  /** Presets: a number of years from now, less a day. */
  readonly years?: readonly { readonly label: string; readonly count: number }[];
}

const secondsOf = (picked: Dayjs, isDay: boolean, isStart: boolean) => {
  if (!isDay) return fromPicked(picked);
  return isStart ? startOfPicked(picked) : endOfPicked(picked);
};

const DateTime = ({ id, value, onChange, status, isDay, isStart = false, years = [] }: DateTimeProps) => (
  <DatePicker
    id={id}
    showTime={!isDay}
    // Enter takes the entered time and does not submit the form.
    onKeyDown={(e) => e.key === 'Enter' && e.preventDefault()}
    value={value === undefined ? null : toPicked(value)}
    onChange={(picked) => onChange(picked ? secondsOf(picked, isDay, isStart) : undefined)}
    // The built-in button would use the browser clock.
    showNow={false}
    presets={years.map(({ label, count }) => ({ label, value: nowPicked().add(count, 'year').subtract(1, 'day') }))}
    renderExtraFooter={() => <span className="muted">{zoneName}</span>}
    status={status}
    style={{ width: '100%' }}
  />
);
export default DateTime;
