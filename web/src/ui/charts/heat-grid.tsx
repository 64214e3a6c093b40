import './heat-grid.css';
import { tips } from '../browser/tip.ts';
import { clockText, monthDayText } from '../format.ts';
import { heatLevel, heatRows } from './heat.ts';

interface HeatGridProps {
  readonly title: string;
  readonly dayLabel: string;
  readonly start: number;
  /** One value per hour. */
  readonly values: readonly number[];
  readonly text: (value: number) => string;
}

/** Share of the accent color for each level. */
const shares = ['0%', '18%', '36%', '56%', '78%', '100%'];
const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

/** Hours of each day as a table with colored cells, so that screen readers read it as a table. */
export const HeatGrid = ({ title, dayLabel, start, values, text }: HeatGridProps) => {
  const max = Math.max(0, ...values);
  return (
    <div className="heat-frame" {...tips}>
      <table className="heat-grid">
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{dayLabel}</th>
            {hours.map((hour) => (
              <th key={hour} scope="col">
                {hour}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {heatRows(start, values).map(({ day, hours: cells }) => (
            <tr key={day}>
              <th scope="row">{monthDayText(day)}</th>
              {cells.map((value, h) => (
                <td
                  key={hours[h]}
                  style={{ ['--heat' as string]: shares[heatLevel(value, max)] }}
                  data-tip={value === undefined ? undefined : `${monthDayText(day)} ${clockText(day + h * 3600)}\n${text(value)}`}
                >
                  <span className="visually-hidden">{value === undefined ? '' : text(value)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
