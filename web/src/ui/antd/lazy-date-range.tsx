import { type ComponentProps, lazy, Suspense, useState } from 'react';
import { CalendarIcon } from '../theme/icons.ts';
import '../styles/plain-form.css';

const DateRange = lazy(() => import('./date-range.tsx'));

/** A placeholder for a date range; the calendar is loaded on first focus, because most lists do not need it. */
export const LazyDateRange = ({ placeholder, ...range }: { readonly placeholder: string } & ComponentProps<typeof DateRange>) => {
  const [isOpened, setIsOpened] = useState(false);
  const button = (
    <span className="line-input">
      <input id={range.id} readOnly value="" placeholder={placeholder} onFocus={() => setIsOpened(true)} />
      <CalendarIcon aria-hidden />
    </span>
  );
  if (!isOpened && range.value.every((v) => v === undefined)) return button;
  return (
    <Suspense fallback={button}>
      <DateRange {...range} autoFocus={isOpened} />
    </Suspense>
  );
};
