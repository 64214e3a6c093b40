import { Input } from 'antd';
import { type ComponentProps, lazy, Suspense, useState } from 'react';
import { CalendarIcon } from '../theme/icons.ts';

const DateRange = lazy(() => import('./date-range.tsx'));

/** A placeholder for a date range; the calendar is loaded on first focus, because most lists do not need it. */
export const LazyDateRange = ({ placeholder, ...range }: { readonly placeholder: string } & ComponentProps<typeof DateRange>) => {
  const [isOpened, setIsOpened] = useState(false);
  const button = (
    <Input
      id={range.id}
      readOnly
      value=""
      placeholder={placeholder}
      suffix={<CalendarIcon aria-hidden />}
      onFocus={() => setIsOpened(true)}
    />
  );
  if (!isOpened && range.value.every((v) => v === undefined)) return button;
  return (
    <Suspense fallback={button}>
      <DateRange {...range} autoFocus={isOpened} />
    </Suspense>
  );
};
