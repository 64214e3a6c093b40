import { type RunView, runCalls } from '@farlink/contract/config/run.ts';
import { isEnded } from '@farlink/contract/protocol/command.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLive } from '../../../kit/live/use-live.ts';
import { call } from '../../../kit/net/call.ts';

/** Poll interval between live updates, and time after the end in which late lines can arrive. */
const [pollMs, afterMs] = [2000, 12_000];

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
    const mine = run.current;
    if (!mine) return;
    if (mine.busy) {
      mine.again = true;
      return;
    }
    mine.busy = true;
    try {
      do {
        mine.again = false;
        const view = await call(runCalls.read, { id: mine.id, after: mine.lines.length }, { silent: true, overlay: false });
        // Another run is shown now.
        if (run.current !== mine) return;
        mine.lines = [...mine.lines, ...view.lines];
        if (isOver(view)) mine.overAt ??= performance.now();
        setFollowed({ view, lines: mine.lines, readAt: performance.now() });
      } while (mine.again);
    } catch {
      // The next poll tries again.
    } finally {
      mine.busy = false;
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
