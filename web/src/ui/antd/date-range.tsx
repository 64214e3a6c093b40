import { zoneName } from '@farlink/contract/kit/zone.ts';
import { DatePicker } from 'antd';
import type { Dayjs } from 'dayjs';
import { calendarNow, endOfCalendarDay, startOfCalendarDay, toCalendar } from '../native/calendar-time.ts';
import { Themed } from '../theme/themed.tsx';

type Pair = readonly [number | undefined, number | undefined];

interface DateRangeProps {
  readonly id: string;
  readonly value: Pair;
  readonly onChange: (value: Pair) => void;
  readonly status: 'error' | undefined;
  readonly label: string;
  /** Opens on mount. */
  readonly autoFocus?: boolean;
  readonly presets: readonly { readonly label: string; readonly days: number }[];
}

const day = (seconds: number | undefined): Dayjs | null => (seconds === undefined ? null : toCalendar(seconds));

/**
 * Whole days: from the first second of the start day to the last second of the end day. A wrong order is kept, so that an error can be
 * shown.
 */
const DateRange = ({ id, value, onChange, status, label, presets, autoFocus = false }: DateRangeProps) => (
  <Themed>
    <DatePicker.RangePicker
      id={{ start: id, end: `${id}-end` }}
      aria-label={label}
      value={[day(value[0]), day(value[1])]}
      onChange={(days) =>
        onChange([days?.[0] ? startOfCalendarDay(days[0]) : undefined, days?.[1] ? endOfCalendarDay(days[1]) : undefined])
      }
      // Enter takes the entered day and does not submit the form.
      onKeyDown={(e) => e.key === 'Enter' && e.preventDefault()}
      order={false}
      autoFocus={autoFocus}
      defaultOpen={autoFocus}
      allowEmpty={[true, true]}
      status={status}
      presets={presets.map((p) => ({ label: p.label, value: [calendarNow().subtract(p.days - 1, 'day'), calendarNow()] }))}
      renderExtraFooter={() => <span className="muted">{zoneName}</span>}
      style={{ width: '100%' }}
    />
  </Themed>
);
export default DateRange;
