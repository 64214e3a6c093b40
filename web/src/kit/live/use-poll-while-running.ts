import { exportState } from '@farlink/contract/export/export.ts';
import type { Listing } from '@farlink/contract/kit/endpoint.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

const pollMs = 2000;

/** Polls a list while one of its rows is running and the page is visible. `isUnderWay` must be a stable function. */
export const usePollWhileRunning = (pageKey: string, isUnderWay: (row: AnyRow) => boolean) => {
  const client = useQueryClient();
  useEffect(() => {
    const queryKey = ['list', pageKey];
    const isWaiting = () =>
      client.getQueriesData<Listing<AnyRow>>({ queryKey, type: 'active' }).some(([, data]) => data?.list.some(isUnderWay));
    const timer = setInterval(() => {
      if (!document.hidden && isWaiting()) void client.invalidateQueries({ queryKey });
    }, pollMs);
    return () => clearInterval(timer);
  }, [client, pageKey, isUnderWay]);
};

/** An export that has not finished. */
export const isExporting = (row: AnyRow) => exportState.can('cancel', row.status);
