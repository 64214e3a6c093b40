import type { Page } from '@farlink/contract/kit/resource.ts';
import { Activity, Fragment, type ReactNode, useState } from 'react';
import { useOutlet } from 'react-router';

interface PageOutletProps {
  readonly page: Page | undefined;
  /** How often each page was asked to start afresh. */
  readonly turns: Readonly<Record<string, number>>;
}

/** Shows the page of the route; pages marked keepAlive stay behind it, hidden and without effects, until they return. */
export const PageOutlet = ({ page, turns }: PageOutletProps) => {
  const outlet = useOutlet();
  const [kept, setKept] = useState<Readonly<Record<string, ReactNode>>>({});
  const key = page?.key ?? '';
  const keeps = page?.keepAlive === true;
  if (keeps && kept[key] !== outlet) setKept({ ...kept, [key]: outlet });
  return (
    <>
      {Object.entries(kept).map(([name, element]) => (
        <Activity key={`${name}:${turns[name] ?? 0}`} mode={keeps && name === key ? 'visible' : 'hidden'}>
          {element}
        </Activity>
      ))}
      {!keeps && <Fragment key={`${key}:${turns[key] ?? 0}`}>{outlet}</Fragment>}
    </>
  );
};
