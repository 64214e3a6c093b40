import { authCalls } from '@farlink/contract/auth/auth.ts';
import { type LiveKind, type LiveUpdate, liveCalls } from '@farlink/contract/device/live.ts';
import { limits } from '@farlink/contract/limits.ts';
import { lang } from '../chrome/lang.ts';
import { call } from '../net/call.ts';
import { pauseMs, readEvents, updateOf } from '../net/live-stream.ts';
import { readSession } from '../net/session.ts';
import { requestOf } from '../net/wire.ts';

export interface Watch {
  readonly ids?: readonly number[];
  /** Kinds of events at any visible device; the device is not reported. */
  readonly any?: readonly LiveKind[];
  /** The number of unread announcements of the operator. */
  readonly notices?: boolean;
}

interface Watcher extends Watch {
  readonly onUpdate: (update: LiveUpdate) => void;
}

/** Components mount and unmount together, so their changes update the connection once. */
const debounceMs = 150;
/** The server sends a keep-alive every 15 seconds; without one the connection is dead. */
const keepAliveTimeoutMs = 40_000;

const watchers = new Set<Watcher>();
let running: { readonly key: string; readonly stop: AbortController } | undefined;
let updateTimer: ReturnType<typeof setTimeout> | undefined;

const combinedWatch = () => ({
  ids: [...new Set([...watchers].flatMap((w) => w.ids ?? []))].sort((a, b) => a - b).slice(0, limits.liveIds),
  any: [...new Set([...watchers].flatMap((w) => w.any ?? []))].sort().join(','),
  notices: [...watchers].some((w) => w.notices === true),
});

const deliverUpdate = (update: LiveUpdate) => {
  for (const { ids = [], any = [], notices: wantsAnnouncements = false, onUpdate } of watchers) {
    const rows = update.rows?.filter((row) => ids.includes(row.id)) ?? [];
    const gone = update.gone?.filter((id) => ids.includes(id)) ?? [];
    const kinds = update.any?.filter((kind) => any.includes(kind)) ?? [];
    const notices = wantsAnnouncements ? update.notices : undefined;
    if (rows.length + gone.length + kinds.length > 0 || notices) onUpdate({ rows, gone, any: kinds, ...(notices && { notices }) });
  }
};

/** The session has ended; any call detects that and handles it. */
const checkSession = () => void call(authCalls.profile, {}, { silent: true, overlay: false }).catch(() => undefined);

/** One connection until it ends. True: it worked, so the next try needs no long delay. */
const listen = async (watch: ReturnType<typeof combinedWatch>, signal: AbortSignal): Promise<boolean> => {
  const timeout = new AbortController();
  let timer = setTimeout(() => timeout.abort(), keepAliveTimeoutMs);
  try {
    // The token is sent in a header, because URLs are stored in logs and histories.
    const { url, init } = requestOf(liveCalls.open, watch, lang, readSession());
    const response = await fetch(url, { ...init, signal: AbortSignal.any([signal, timeout.signal]) });
    if (response.status === 401) checkSession();
    if (!response.ok || !response.body) return false;
    for (const { onUpdate } of watchers) onUpdate({ begun: true });
    let text = '';
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer);
      timer = setTimeout(() => timeout.abort(), keepAliveTimeoutMs);
      const { data, rest } = readEvents(text + piece);
      text = rest;
      for (const each of data) {
        const update = updateOf(each);
        if (update.over) checkSession();
        else deliverUpdate(update);
      }
    }
    return true;
  } finally {
    clearTimeout(timer);
  }
};

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });

const run = async (watch: ReturnType<typeof combinedWatch>, { signal }: AbortController) => {
  for (let tries = 0; !signal.aborted; tries++) {
    const worked = await listen(watch, signal).catch(() => false);
    if (worked) tries = 0;
    if (!signal.aborted && readSession()) await pause(pauseMs(tries), signal);
  }
};

/** Opens one connection for all watchers of the tab. A hidden tab closes it, because browsers limit connections per server. */
const updateConnection = () => {
  const watch = combinedWatch();
  const isIdle = (watch.ids.length === 0 && watch.any === '' && !watch.notices) || document.hidden || !readSession();
  const key = isIdle ? '' : JSON.stringify(watch);
  if (key === (running?.key ?? '')) return;
  running?.stop.abort();
  running = undefined;
  if (isIdle) return;
  running = { key, stop: new AbortController() };
  void run(watch, running.stop);
};

const scheduleConnectionUpdate = () => {
  clearTimeout(updateTimer);
  updateTimer = setTimeout(updateConnection, debounceMs);
};

document.addEventListener('visibilitychange', scheduleConnectionUpdate);

/** Each stream starts with the current state, so nothing is missed between streams. */
export const watchLive = (watcher: Watcher) => {
  watchers.add(watcher);
  scheduleConnectionUpdate();
  return () => {
    watchers.delete(watcher);
    scheduleConnectionUpdate();
  };
};
