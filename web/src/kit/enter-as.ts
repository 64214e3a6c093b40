import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import { call } from './call.ts';
import { isObject } from './wire.ts';

/** Opens a tab of its own for another identity; without an opener, so that it shares nothing with this one. */
export const enterAs = async (login: Endpoint, id: number) => {
  const answer: unknown = await call(login, { id });
  if (isObject(answer)) window.open(`/login?remoteData=${encodeURIComponent(String(answer.remoteData))}`, '_blank', 'noopener');
};
