import { networkURL } from '@farlink/contract/audit/network-url.ts';
import { lazy, Suspense, useState } from 'react';
import type { Run } from '../../kit/actions/use-page-actions.tsx';
import { AuditPage } from './audit-page.tsx';

const BlacklistDialog = lazy(() => import('./blacklist-dialog.tsx'));

const NetworkUrl = () => {
  const [hosts, setHosts] = useState<readonly string[]>([]);
  const run: Run = { blacklist: (_, __, rows) => setHosts([...new Set(rows.map(({ host }) => String(host)))]) };
  return (
    <>
      <AuditPage page={networkURL} run={run} />
      <Suspense>{hosts.length > 0 && <BlacklistDialog hosts={hosts} onClose={() => setHosts([])} />}</Suspense>
    </>
  );
};
export default NetworkUrl;
