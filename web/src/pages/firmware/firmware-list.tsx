import { firmwareList } from '@farlink/contract/firmware/firmware.ts';
import { lazy, Suspense, useState } from 'react';
import { ResourcePage } from '../../kit/resource-page.tsx';
import type { Run } from '../../kit/use-desk.tsx';

const CampaignDrawer = lazy(() => import('./campaign-drawer.tsx'));

/** Versions, and beside them what becomes of the devices that are to get them. */
const FirmwareList = () => {
  const [watching, setWatching] = useState(false);
  const run: Run = { campaigns: () => setWatching(true) };
  return (
    <>
      <ResourcePage page={firmwareList} run={run} />
      {watching && (
        <Suspense>
          <CampaignDrawer onClose={() => setWatching(false)} />
        </Suspense>
      )}
    </>
  );
};
export default FirmwareList;
