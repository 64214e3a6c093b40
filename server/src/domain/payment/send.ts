import { noReply } from './payment-error.ts';

const timeoutMs = 10_000;

export interface Reply {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: string;
}

interface Message {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

const exchange = async (url: URL, message: Message): Promise<Reply> => {
  try {
    const response = await fetch(url, { ...message, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    return { status: response.status, header: (name) => response.headers.get(name) ?? undefined, body: await response.text() };
  } catch (cause) {
    throw noReply({ cause });
  }
};

/** After a 5xx status the outcome is unknown: the server may have done the work. */
export const send = async (url: URL, message: Message): Promise<Reply> => {
  const reply = await exchange(url, message);
  if (reply.status >= 500) throw noReply({ code: `HTTP ${reply.status}` });
  return reply;
};
