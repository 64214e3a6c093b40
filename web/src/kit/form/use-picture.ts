import { endpoint } from '@farlink/contract/kit/endpoint.ts';
import { useEffect, useState } from 'react';
import { call } from '../net/call.ts';

const pictureAt = (path: string) =>
  endpoint({ method: 'GET', path, kind: 'file', module: 'file', access: 'session', summary: ['查看图片', 'View a picture'] });

interface Fetched {
  readonly path: string;
  /** Undefined after a failure. */
  readonly url?: string;
}

/** An image that needs the session token; released with the component that shows it. */
export const usePicture = (path: string): { readonly url: string | undefined; readonly failed: boolean } => {
  const [fetched, setFetched] = useState<Fetched>();
  useEffect(() => {
    const controller = new AbortController();
    let url: string | undefined;
    // A path can have parameters: `user_feedback/preview/7?image=1`.
    const [address = '', query] = path.split('?');
    call(pictureAt(address), Object.fromEntries(new URLSearchParams(query)), {
      blob: true,
      silent: true,
      overlay: false,
      signal: controller.signal,
    }).then(
      ({ blob }) => {
        if (controller.signal.aborted) return;
        url = URL.createObjectURL(blob);
        setFetched({ path, url });
      },
      () => controller.signal.aborted || setFetched({ path }),
    );
    return () => {
      controller.abort();
      if (url) URL.revokeObjectURL(url);
    };
  }, [path]);
  const current = fetched?.path === path ? fetched : undefined;
  return { url: current?.url, failed: current !== undefined && current.url === undefined };
};
