import { dangerSiteCalls } from '@farlink/contract/advanced/danger-site.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../kit/net/call.ts';

const pollMs = 5000;

/** The key begins with `list`, so that each change of entries reads it again. */
export const useDangerListState = () =>
  useQuery({
    queryKey: ['list', 'dangerState'],
    queryFn: () => call(dangerSiteCalls.state, {}, { silent: true, overlay: false }),
    refetchInterval: pollMs,
    retry: false,
  });
