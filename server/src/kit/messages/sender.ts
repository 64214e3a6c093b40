import { createHmac } from 'node:crypto';
import type { Config } from '../../env/config.ts';

export interface Message {
  /** Same for every try, so that a receiver can detect duplicates. */
  readonly id: number;
  readonly recipient: string;
  readonly body: string;
}

/** Delivers a message, or throws. */
export interface Sender {
  send(message: Message): Promise<void>;
}

const timeoutMs = 10_000;

/** Proves to the receiver that a request is authentic and recent: HMAC-SHA256 over the time and the body. */
export const signature = (secret: string, timestamp: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;

export const httpSender = (url: string, secret: string): Sender => ({
  send: async ({ id, recipient, body }) => {
    const content = JSON.stringify({ id, to: recipient, text: body });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'idempotency-key': String(id),
        'x-farlink-timestamp': timestamp,
        'x-farlink-signature': signature(secret, timestamp, content),
      },
      body: content,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the sender answered ${response.status}`);
  },
});

/** SMS sender from the configuration; undefined if messages stay in the built-in outbox. */
export const smsSender = (config: Config): Sender | undefined => config.sms && httpSender(config.sms.url, config.sms.secret);
