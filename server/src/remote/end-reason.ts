import type { RemoteEnd } from '@farlink/contract/device/remote.ts';
import { limits } from '@farlink/contract/limits.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import type { Ended } from './session.ts';
import type { RunningRow } from './store.ts';

const because = (reason: RemoteEnd, message: string | null = null): Ended => ({ reason, message });

/** Reason to end a session now; undefined if it may continue. */
export const endReason = (row: RunningRow, activeAt: number, now: number): Ended | undefined => {
  if (row.session_id === null || !row.logged_in) return because('logout');
  if (row.device_id === null || !row.owned) return because('moved');
  if (row.online_state !== 1) return because('offline');
  if (row.network === 'l_band' && !row.lband) return because('l_band');
  if (row.open_at === null) {
    if (row.command_state === commandState.id('failed')) return because('refused', row.command_err);
    const gaveUp = row.command_state === commandState.id('expired') || row.create_at + limits.remoteOpenS <= now;
    return gaveUp ? because('timeout') : undefined;
  }
  // The ticket was not used in time, so the tunnel is closed to save traffic.
  if (row.ticket_used_at === null && row.ticket_until <= now) return because('idle');
  if (activeAt + limits.remoteIdleS <= now) return because('idle');
  return row.open_at + limits.remoteMaxS <= now ? because('time') : undefined;
};
