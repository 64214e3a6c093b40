import type { Endpoint, OutputOf } from '@farlink/contract/kit/endpoint.ts';
import { type Api, type Caller, type Reply, readReply } from './api.ts';

/** Sends one file as a multipart form, as a browser does. */
export const uploadFile = async <E extends Endpoint>(
  api: Pick<Api, 'base'>,
  by: Caller,
  { method, path }: E,
  bytes: Uint8Array,
  name: string,
): Promise<Reply<OutputOf<E>>> => {
  const form = new FormData();
  form.append('lang', 'zh');
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  const headers = { authorization: by.session?.token ?? '' };
  return readReply(await fetch(`${api.base}/agt/v1/${path}`, { method, body: form, headers }));
};
