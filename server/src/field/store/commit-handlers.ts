import type { EventKind } from '@farlink/contract/protocol/event.ts';
import type { OperationName } from '@farlink/gateway/protocol/command.ts';
import { isOperation } from '@farlink/gateway/protocol/command.ts';
import type { DeviceChange } from '../../orders/notify.ts';
import { storeApAlerts, storeLinkAlerts } from './alerts.ts';
import { storeApEvents } from './aps.ts';
import { orderRestores } from './bindings.ts';
import type { MovedCommand, NewEvent } from './commit-items.ts';
import { storeContainerEvents, storeContainers } from './containers.ts';
import { countDangerHits } from './danger-sites.ts';
import { handleReports } from './dpi-tasks.ts';
import { storeFences } from './fences.ts';
import { handleDeletions, handleDownloads, startDownloads } from './file-tasks.ts';
import { handleRuns } from './page-results.ts';
import { handleKeys, handleLocks } from './settings.ts';
import { storeOrderedSwitches, storeSwitches } from './switches.ts';
import { storeTempReleases } from './temp-releases.ts';
import { handleTransfers } from './transfers.ts';
import type { Tx } from './tx.ts';
import { confirmUpgrades, handleUpgrades } from './upgrades.ts';
import { completeKicks } from './user-end.ts';
import { storeLogins, storeRejections, storeUserEvents } from './users.ts';

type CommitHandler<T> = (tx: Tx, items: readonly T[]) => Promise<void>;

/**
 * Handlers that run in the commit that stores gateway reports. They get only new items, a whole batch at a time, so nothing is lost or
 * handled twice.
 */
const ofEvents: Partial<Record<EventKind, readonly CommitHandler<NewEvent>[]>> = {
  link: [storeSwitches, storeLinkAlerts],
  fence: [storeFences],
  ap: [storeApEvents, storeApAlerts],
  docker: [storeContainerEvents],
  user: [storeUserEvents],
  auth: [storeRejections],
  login: [storeLogins],
  bound: [orderRestores],
  release: [storeTempReleases],
  danger: [countDangerHits],
};
const ofCommands: Partial<Record<OperationName, readonly CommitHandler<MovedCommand>[]>> = {
  'user.kick': [completeKicks],
  'link.lock': [storeOrderedSwitches, handleLocks],
  'link.switch': [storeOrderedSwitches],
  'docker.info': [storeContainers],
  'docker.ctl': [storeContainers],
  'file.get': [handleDownloads],
  'file.delete': [handleDeletions],
  'dpi.send': [handleReports],
  'sys.upgrade': [handleUpgrades],
  'sys.rollback': [handleUpgrades],
  'key.set': [handleKeys],
  'vno.transfer': [handleTransfers],
  'page.run': [handleRuns],
};
/** Handlers get device ids. */
const ofChanges: Partial<Record<DeviceChange, readonly CommitHandler<number>[]>> = {
  online: [startDownloads, confirmUpgrades],
  link: [startDownloads],
};

const runHandlers = async <T, K extends string>(
  tx: Tx,
  items: readonly T[],
  kindOf: (one: T) => K | undefined,
  handlers: Partial<Record<K, readonly CommitHandler<T>[]>>,
) => {
  for (const [kind, some] of Map.groupBy(items, kindOf))
    for (const handle of (kind === undefined ? undefined : handlers[kind]) ?? []) await handle(tx, some);
};

export const handleEvents = (tx: Tx, events: readonly NewEvent[]) => runHandlers(tx, events, (e) => e.kind, ofEvents);

/** Runs after the whole batch is stored. */
export const handleChanges = async (tx: Tx) => {
  for (const [change, ids] of [...tx.changes]) for (const handle of ofChanges[change] ?? []) await handle(tx, [...ids]);
};

export const handleCommands = (tx: Tx, commands: readonly MovedCommand[]) =>
  runHandlers(tx, commands, ({ op }) => (isOperation(op) ? op : undefined), ofCommands);
