import { downEnrol } from '@farlink/gateway/protocol/message.ts';
import { parseJson } from '@farlink/gateway/protocol/shape.ts';
import { Closed } from './client.ts';
import type { Answer } from './enrol.ts';

const tooMany = 0x97;

const post = async (base: string, path: string, body: object): Promise<Response> => {
  try {
    return await fetch(`${base}/gateway/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Closed();
  }
};

/** Asks for a device key with a merchant code where a broker stands before the console. */
export const enrolOverWeb = async (
  base: string,
  who: { readonly sn: string; readonly code: string; readonly hw: string; readonly model: string; readonly fw: string },
): Promise<Answer> => {
  const answer = await post(base, 'enrol', who);
  if (answer.status === 429) return { refusal: tooMany };
  const parsed = answer.ok ? parseJson(downEnrol, await answer.text()) : { reason: answer.statusText };
  return 'value' in parsed ? parsed.value : {};
};

/** Whether a key opens the door: undefined where it cannot be said yet. */
export const showKey = async (base: string, sn: string, key: string): Promise<boolean | undefined> => {
  const { status } = await post(base, 'key', { sn, key });
  return status === 204 ? true : status === 401 ? false : undefined;
};
