import { userDetailCalls } from '@farlink/contract/user/user-detail.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../kit/call.ts';

/** How an account stands now; asked for once for all parts of its page. */
export const useStanding = (id: number) =>
  useQuery({
    queryKey: ['record', userDetailCalls.standing.path, id],
    queryFn: () => call(userDetailCalls.standing, { id }, { silent: true, overlay: false }),
    retry: false,
  });
