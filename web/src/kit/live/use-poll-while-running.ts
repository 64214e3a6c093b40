import { exportState } from '@farlink/contract/export/export.ts';
import type { Listing } from '@farlink/contract/kit/endpoint.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

const everyMs = 2000;

/** Asks for a list anew while one of its rows is still under way and the page is seen. `isUnderWay` is the same function each time. */
export const usePollWhileRunning = (pageKey: string, isUnderWay: (row: AnyRow) => boolean) => {
  const client = useQueryClient();
  useEffect(() => {
    const queryKey = ['list', pageKey];
    const isWaiting = () =>
      client.getQueriesData<Listing<AnyRow>>({ queryKey, type: 'active' }).some(([, data]) => data?.list.some(isUnderWay));
    const timer = setInterval(() => {
      if (!document.hidden && isWaiting()) void client.invalidateQueries({ queryKey });
    }, everyMs);
    return () => clearInterval(timer);
  }, [client, pageKey, isUnderWay]);
};

/** A row of an export log that is not at its end. */
export const isExporting = (row: AnyRow) => exportState.can('cancel', row.status);
