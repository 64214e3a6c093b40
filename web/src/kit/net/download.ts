import type { Endpoint, InputOf } from '@farlink/contract/kit/endpoint.ts';
import { call } from './call.ts';

/** Downloads a file with the session token and saves it under the name from the server. */
export const download = async <E extends Endpoint>(e: E, input: InputOf<E>) => {
  const { blob, name } = await call(e, input, { blob: true });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
