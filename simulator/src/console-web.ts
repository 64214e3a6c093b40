import { downEnrol } from '@farlink/gateway/protocol/message.ts';
import { parseJson } from '@farlink/gateway/protocol/shape.ts';
import { Closed } from './client.ts';
import type { EnrolReply } from './enrol.ts';

const tooMany = 0x97;

/** Resolves with the complete response; an incomplete one counts as a failure. */
const post = async (base: string, path: string, body: object): Promise<{ readonly status: number; readonly text: string }> => {
  try {
    const response = await fetch(`${base}/gateway/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    throw new Closed();
  }
};

/** Requests a device key over HTTP, for gateways that connect through a broker. */
export const enrolOverWeb = async (
  base: string,
  identity: { readonly sn: string; readonly code: string; readonly hw: string; readonly model: string; readonly fw: string },
): Promise<EnrolReply> => {
  const { status, text } = await post(base, 'enrol', identity);
  if (status === 429) return { refusal: tooMany };
  const parsed = parseJson(downEnrol, text);
  return status === 200 && 'value' in parsed ? parsed.value : {};
};

/** Whether the console accepts the key; undefined: unknown, try again later. */
export const showKey = async (base: string, sn: string, key: string): Promise<boolean | undefined> => {
  const { status } = await post(base, 'key', { sn, key });
  return status === 204 ? true : status === 401 ? false : undefined;
};
