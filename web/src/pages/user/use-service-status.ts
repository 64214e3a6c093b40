import { userDetailCalls } from '@farlink/contract/user/user-detail.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../kit/net/call.ts';

/** Service status of an account; one query for all parts of its page. */
export const useServiceStatus = (id: number) =>
  useQuery({
    queryKey: ['record', userDetailCalls.serviceStatus.path, id],
    queryFn: () => call(userDetailCalls.serviceStatus, { id }, { silent: true, overlay: false }),
    retry: false,
  });
