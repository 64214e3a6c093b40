import { exportState } from '@farlink/contract/export/export.ts';
import type { Listing } from '@farlink/contract/kit/endpoint.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { billExportLog } from '@farlink/contract/log/bill-export-log.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ResourcePage } from '../../kit/resource-page.tsx';

const everyMs = 2000;

/** Asks for news only while an export is running and the page is seen. */
const BillExportLog = () => {
  const client = useQueryClient();
  useEffect(() => {
    const queryKey = ['list', billExportLog.key];
    const isRunning = () =>
      client
        .getQueriesData<Listing<AnyRow>>({ queryKey, type: 'active' })
        .some(([, data]) => data?.list.some((row) => exportState.can('cancel', row.status)));
    const timer = setInterval(() => {
      if (!document.hidden && isRunning()) void client.invalidateQueries({ queryKey });
    }, everyMs);
    return () => clearInterval(timer);
  }, [client]);
  return <ResourcePage page={billExportLog} />;
};
export default BillExportLog;
