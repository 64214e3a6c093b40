import type { Field } from '@farlink/contract/kit/field.ts';
import { lazy, Suspense } from 'react';
import { t } from '../chrome/lang.ts';
import '../../ui/styles/plain-form.css';

const DateTime = lazy(() => import('../../ui/antd/date-time.tsx'));

const years = [1, 2, 3].map((count) => ({ count, label: t(count === 1 ? ['1年', '1 year'] : ['{0}年', '{0} years'], count) }));

interface TimeControlProps {
  readonly id: string;
  readonly field: Field;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly isWrong: boolean;
}

/** A time, or a day. */
export const TimeControl = ({ id, field, value, onChange, isWrong }: TimeControlProps) => (
  // Without the id until the calendar is loaded: nothing that is typed may be lost.
  <Suspense
    fallback={
      <span className="line-input">
        <input disabled />
      </span>
    }
  >
    <DateTime
      id={id}
      value={value === undefined || value === null || value === '' ? undefined : Number(value)}
      onChange={onChange}
      status={isWrong ? 'error' : undefined}
      isDay={field.kind === 'date'}
      isStart={field.start === true}
      years={field.quickYears ? years : []}
    />
  </Suspense>
);
