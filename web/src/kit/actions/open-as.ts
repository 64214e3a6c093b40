import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { call } from '../net/call.ts';

/** Opens a separate tab for another identity, without an opener, so that no session is shared. */
export const openAs = async (login: Endpoint, id: number) => {
  const reply: unknown = await call(login, { id });
  if (isRecord(reply)) window.open(`/login?remoteData=${encodeURIComponent(String(reply.remoteData))}`, '_blank', 'noopener');
};
