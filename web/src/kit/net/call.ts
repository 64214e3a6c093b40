import { errors } from '@farlink/contract/errors.ts';
import { type InputOf, isWrite, type OutputOf } from '@farlink/contract/kit/endpoint.ts';
import { idempotencyHeader } from '@farlink/contract/kit/idempotency.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { limits } from '@farlink/contract/limits.ts';
import { store } from '../../ui/browser/store.ts';
import { lang, t } from '../chrome/lang.ts';
import { notify, requestFailed } from '../chrome/notify.tsx';
import { clearRetryKey, retryKey } from './idempotency.ts';
import type { Sent } from './send-with-progress.ts';
import { readSession } from './session.ts';
import { type Download, fileNameOf, requestOf, toastText, type Wire } from './wire.ts';

export interface CallOptions {
  /** The caller shows the error itself. */
  readonly silent?: boolean;
  /** Covers the page while it runs; reads have no overlay unless set. */
  readonly overlay?: boolean;
  readonly blob?: boolean;
  readonly signal?: AbortSignal;
  /** Idempotency key of the form: a repeated write with the same key runs once. */
  readonly key?: string | undefined;
  /** Receives the upload progress. */
  readonly progress?: (sent: Sent) => void;
}

export class CallError extends Error {
  readonly code: number;
  readonly data: unknown;
  /** Errors by field, in the operator's language. */
  readonly fields: Readonly<Record<string, string>>;
  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
    const fields = isRecord(data) && isRecord(data.fields) ? Object.entries(data.fields) : [];
    this.fields = Object.fromEntries(fields.map(([name, text]) => [name, String(text)]));
  }
}

const background = ['list', 'option', 'tree'];

/** No valid API response: network, proxy or timeout. */
export const transportFailure = -1;

let sessionEnded: (message: string) => void = () => {};
/** Sets the handler for an ended session. */
export const onSessionEnded = (handler: (message: string) => void) => {
  sessionEnded = handler;
};

const pending = store(0);
const addPending = (n: 1 | -1) => pending.set(pending.get() + n);

/** Number of blocking requests; the overlay closes when all are done (spec §4). */
export const usePending = pending.use;

const send = async ({ url, init }: ReturnType<typeof requestOf>, { signal, progress }: CallOptions): Promise<Response> => {
  if (progress) return (await import('./send-with-progress.ts')).sendWithProgress(url, init, progress, signal);
  const timeout = AbortSignal.timeout(limits.requestTimeoutMs);
  return fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
};

/** Sends a write with its key. Without a form, the same request within minutes after a lost response reuses its key. */
const sendOnce = async (e: Wire, { url, init }: ReturnType<typeof requestOf>, o: CallOptions): Promise<Response> => {
  if (!isWrite(e)) return send({ url, init }, o);
  const name = `${e.method} ${url} ${typeof init.body === 'string' ? init.body : ''}`;
  const key = o.key ?? retryKey(name);
  const response = await send({ url, init: { ...init, headers: { ...init.headers, [idempotencyHeader]: key } } }, o);
  clearRetryKey(name);
  return response;
};

const maxRetries = 2;
const maxPauseS = 5;

/** A busy server sends retry-after. A read is repeated then; a write is left to the operator. */
const sendAgainWhenBusy = async (e: Wire, input: Values, o: CallOptions): Promise<Response> => {
  for (let tries = 0; ; tries++) {
    const response = await sendOnce(e, requestOf(e, input, lang, readSession()), o);
    const after = Number(response.headers.get('retry-after'));
    if (response.status !== 503 || e.method !== 'GET' || !(after > 0) || tries === maxRetries) return response;
    await new Promise((resolve) => setTimeout(resolve, Math.min(after, maxPauseS) * 1000));
  }
};

const exchange = async (e: Wire, input: Values, o: CallOptions, token: string | undefined): Promise<unknown> => {
  const response = await sendAgainWhenBusy(e, input, o);
  const json = response.headers.get('content-type')?.includes('application/json') === true;
  // spec §7: a JSON response to a blob request is an error.
  if (o.blob && !json && response.ok) return { blob: await response.blob(), name: fileNameOf(response) } satisfies Download;
  const reply: unknown = await response.json();
  if (!isRecord(reply) || typeof reply.code !== 'number') throw new Error('invalid reply');
  if (reply.code === 0 && !o.blob) return reply.data;
  const error = new CallError(reply.code, String(reply.msg ?? ''), reply.data);
  if (error.code === errors.session_ended.code) {
    // A late refusal for an old session does not affect the new one.
    if (token !== undefined && token === readSession()?.token) sessionEnded(error.message);
  } else if (!o.silent) notify.error(toastText(error.message, error.data));
  throw error;
};

export async function call<E extends Wire>(e: E, input: InputOf<E>, options: CallOptions & { readonly blob: true }): Promise<Download>;
export async function call<E extends Wire>(e: E, input: InputOf<E>, options?: CallOptions): Promise<OutputOf<E>>;
export async function call(e: Wire, input: unknown, options: CallOptions = {}): Promise<unknown> {
  const covers = options.overlay ?? !background.includes(e.kind);
  if (covers) addPending(1);
  try {
    return await exchange(e, isRecord(input) ? input : {}, options, readSession()?.token);
  } catch (error) {
    if (error instanceof CallError || options.signal?.aborted) throw error;
    if (!options.silent) notify.error(t(requestFailed));
    throw new CallError(transportFailure, t(requestFailed), null);
  } finally {
    if (covers) addPending(-1);
  }
}
