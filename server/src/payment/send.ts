import { PaymentError } from './payment-error.ts';

const timeoutMs = 10_000;

export interface Reply {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: string;
}

export const send = async (url: string | URL, init: { method: string; headers: Record<string, string>; body?: string }): Promise<Reply> => {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    return { status: response.status, header: (name) => response.headers.get(name) ?? undefined, body: await response.text() };
  } catch (cause) {
    throw new PaymentError(
      'network',
      ['无法连接支付平台，请稍后查询结果', 'The payment provider cannot be reached; ask for the outcome later'],
      {
        cause,
      },
    );
  }
};
