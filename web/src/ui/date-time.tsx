import { DatePicker } from 'antd';
import dayjs from 'dayjs';

interface DateTimeProps {
  readonly id: string;
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
  readonly status: 'error' | undefined;
  /** A day, which lasts until its last second. */
  readonly isDay: boolean;
  /** Offered beside the calendar: so many years from now, less a day. */
  readonly years?: readonly { readonly label: string; readonly count: number }[];
}

const DateTime = ({ id, value, onChange, status, isDay, years = [] }: DateTimeProps) => (
  <DatePicker
    id={id}
    showTime={!isDay}
    // Enter takes the moment that was typed; it does not send the form around it.
    onKeyDown={(e) => e.key === 'Enter' && e.preventDefault()}
    value={value === undefined ? null : dayjs(value * 1000)}
    onChange={(moment) => onChange((isDay ? moment?.endOf('day') : moment)?.unix())}
    presets={years.map(({ label, count }) => ({ label, value: dayjs().add(count, 'year').subtract(1, 'day') }))}
    status={status}
    style={{ width: '100%' }}
  />
);
export default DateTime;
