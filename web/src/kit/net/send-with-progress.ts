import { limits } from '@farlink/contract/limits.ts';

/** Sent bytes and total bytes. */
export interface Sent {
  readonly sent: number;
  readonly total: number;
}

/**
 * `fetch` has no upload progress, so XMLHttpRequest is used. The timeout counts from the last progress, because a large file on a slow link
 * takes longer than a normal request.
 */
export const sendWithProgress = (
  url: string,
  init: RequestInit,
  onProgress: (sent: Sent) => void,
  signal?: AbortSignal,
): Promise<Response> =>
  new Promise((reply, broken) => {
    const request = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), limits.requestTimeoutMs);
    };
    const stop = () => request.abort();
    const fail = () => broken(signal?.reason ?? new Error('no reply'));
    request.open(init.method ?? 'POST', url);
    new Headers(init.headers).forEach((value, name) => void request.setRequestHeader(name, value));
    request.upload.onprogress = ({ loaded, total }) => {
      watch();
      onProgress({ sent: loaded, total });
    };
    request.onload = () => {
      const headers = { 'content-type': request.getResponseHeader('content-type') ?? '' };
      reply(new Response(request.responseText, { status: request.status, headers }));
    };
    request.onerror = fail;
    request.onabort = fail;
    request.onloadend = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
    if (signal?.aborted) return fail();
    signal?.addEventListener('abort', stop);
    watch();
    request.send(init.body instanceof FormData ? init.body : null);
  });
