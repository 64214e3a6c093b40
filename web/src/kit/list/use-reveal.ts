import type { Page } from '@farlink/contract/kit/page.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { call } from '../net/call.ts';
import { useMe } from '../net/session.ts';
import { inputFor } from '../net/wire.ts';

/** Returns a function that reveals masked fields; undefined if the page has no such call or the session has no permission. */
export const useReveal = (page: Pick<Page, 'reveal'>) => {
  const me = useMe();
  const e = page.reveal;
  if (!e || !mayCall(e, me)) return undefined;
  return async (id: number, field: string): Promise<string> => {
    const reply: unknown = await call(e, inputFor(e, { id, field }), { overlay: false });
    return isRecord(reply) ? String(reply.value ?? '') : '';
  };
};
