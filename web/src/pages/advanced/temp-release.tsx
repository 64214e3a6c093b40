import { tempRelease } from '@farlink/contract/advanced/temp-release.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { lazy, Suspense, useState } from 'react';
import type { Run } from '../../kit/actions/use-page-actions.tsx';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const TempReleaseRecords = lazy(() => import('./temp-release-records.tsx'));

/** Rules for temporary release, and a panel with the reports of gateways for one rule or all. */
const TempRelease = () => {
  const [shown, setShown] = useState<{ readonly rule?: AnyRow }>();
  const run: Run = { records: () => setShown({}), ruleRecords: (rule) => setShown({ rule }) };
  return (
    <>
      <ResourcePage page={tempRelease} run={run} />
      {shown && (
        <Suspense>
          <TempReleaseRecords rule={shown.rule} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </>
  );
};
export default TempRelease;
