import { useEffect, useRef, useState } from 'react';
import type { CallOptions } from '../net/call.ts';
import type { Sent } from '../net/send-with-progress.ts';

/** A call with a file: progress, and abort on unmount. */
export const useUpload = () => {
  const [progress, setProgress] = useState<Sent>();
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const send = async (call: (options: CallOptions) => Promise<unknown>, onDone: (reply: unknown) => void) => {
    const stop = new AbortController();
    abort.current = stop;
    try {
      onDone(await call({ signal: stop.signal, progress: setProgress }));
    } catch (error) {
      setProgress(undefined);
      if (!stop.signal.aborted) throw error;
    }
  };
  return { progress, send };
};
