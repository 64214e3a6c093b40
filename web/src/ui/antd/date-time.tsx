import { zoneName } from '@farlink/contract/kit/zone.ts';
import { DatePicker } from 'antd';
import type { Dayjs } from 'dayjs';
import { calendarNow, endOfCalendarDay, fromCalendar, startOfCalendarDay, toCalendar } from '../native/calendar-time.ts';
import { Themed } from '../theme/themed.tsx';

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

const secondsOf = (date: Dayjs, isDay: boolean, isStart: boolean) => {
  if (!isDay) return fromCalendar(date);
  return isStart ? startOfCalendarDay(date) : endOfCalendarDay(date);
};

const DateTime = ({ id, value, onChange, status, isDay, isStart = false, years = [] }: DateTimeProps) => (
  <Themed>
    <DatePicker
      id={id}
      showTime={!isDay}
      // Enter takes the entered time and does not submit the form.
      onKeyDown={(e) => e.key === 'Enter' && e.preventDefault()}
      value={value === undefined ? null : toCalendar(value)}
      onChange={(date) => onChange(date ? secondsOf(date, isDay, isStart) : undefined)}
      // The built-in button would use the browser clock.
      showNow={false}
      presets={years.map(({ label, count }) => ({ label, value: calendarNow().add(count, 'year').subtract(1, 'day') }))}
      renderExtraFooter={() => <span className="muted">{zoneName}</span>}
      status={status}
      style={{ width: '100%' }}
    />
  </Themed>
);
export default DateTime;
