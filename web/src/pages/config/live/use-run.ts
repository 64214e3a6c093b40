import { type RunView, runCalls } from '@farlink/contract/config/run.ts';
import { isEnded } from '@farlink/contract/protocol/command.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLive } from '../../../kit/live/use-live.ts';
import { call } from '../../../kit/net/call.ts';

/** Poll interval between live updates, and time after the end in which late lines can arrive. */
const pollMs = 2000;
const afterMs = 12_000;

export interface Followed {
  readonly view: RunView;
  readonly lines: readonly string[];
  readonly readAt: number;
}

const isOver = (view: RunView | undefined) => view !== undefined && isEnded(view.state);

/** Follows a run: each line is fetched once, from the end of the last response. */
export const useRun = (device_id: number, id: number | undefined): Followed | undefined => {
  const [followed, setFollowed] = useState<Followed>();
  const run = useRef<{ id: number; lines: string[]; busy: boolean; again: boolean; overAt: number | undefined }>(undefined);

  const poll = useCallback(async () => {
    const current = run.current;
    if (!current) return;
    if (current.busy) {
      current.again = true;
      return;
    }
    current.busy = true;
    try {
      do {
        current.again = false;
        const view = await call(runCalls.read, { id: current.id, after: current.lines.length }, { silent: true, overlay: false });
        // Another run is shown now.
        if (run.current !== current) return;
        current.lines = [...current.lines, ...view.lines];
        if (isOver(view)) current.overAt ??= performance.now();
        setFollowed({ view, lines: current.lines, readAt: performance.now() });
      } while (current.again);
    } catch {
      // The next poll tries again.
    } finally {
      current.busy = false;
    }
  }, []);

  useEffect(() => {
    setFollowed(undefined);
    run.current = id === undefined ? undefined : { id, lines: [], busy: false, again: false, overAt: undefined };
    if (id === undefined) return;
    void poll();
    const timer = setInterval(() => {
      const overAt = run.current?.overAt;
      if (overAt !== undefined && performance.now() - overAt > afterMs) return clearInterval(timer);
      void poll();
    }, pollMs);
    return () => clearInterval(timer);
  }, [id, poll]);

  useLive({ ids: [device_id] }, ({ rows = [] }) => {
    if (rows.some(({ what }) => what.includes('command')) && run.current?.overAt === undefined) void poll();
  });
  return followed;
};
