import type { Head } from '@farlink/contract/kit/page.ts';
import { Activity, type ContextType, Fragment, type ReactNode, useContext, useState } from 'react';
import { UNSAFE_LocationContext as LocationContext, useOutlet } from 'react-router';

interface PageOutletProps {
  readonly page: Head | undefined;
  /** Number of view resets of each page. */
  readonly resets: Readonly<Record<string, number>>;
}

interface KeptPage {
  readonly element: ReactNode;
  readonly address: ContextType<typeof LocationContext>;
}

/**
 * Shows the page of the route. Pages with keepAlive stay mounted, hidden and without effects. Each keeps its own URL, because the router
 * hooks would return that of the visible page.
 */
export const PageOutlet = ({ page, resets }: PageOutletProps) => {
  const element = useOutlet();
  const address = useContext(LocationContext);
  const [kept, setKept] = useState<Readonly<Record<string, KeptPage>>>({});
  const key = page?.key ?? '';
  const isKeptAlive = page?.keepAlive === true;
  if (isKeptAlive && (kept[key]?.element !== element || kept[key]?.address !== address)) setKept({ ...kept, [key]: { element, address } });
  return (
    <>
      {Object.entries(kept).map(([name, { element, address }]) => (
        <Activity key={`${name}:${resets[name] ?? 0}`} mode={isKeptAlive && name === key ? 'visible' : 'hidden'}>
          <LocationContext value={address}>{element}</LocationContext>
        </Activity>
      ))}
      {/* Another record is another page, so no state is kept. */}
      {!isKeptAlive && <Fragment key={`${address.location.pathname}:${resets[key] ?? 0}`}>{element}</Fragment>}
    </>
  );
};
