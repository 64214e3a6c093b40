import type { Text } from '@farlink/contract/kit/text.ts';
import { useEffect, useEffectEvent } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router';
import { confirm } from '../chrome/notify.tsx';
import { isReset } from '../chrome/route.ts';
import { readSession } from '../net/session.ts';

/** Confirmation before input is lost. */
export const discard: Text = ['有未保存的修改，确定放弃吗？', 'You have unsaved changes. Discard them?'];
export const mayDiscard = () => confirm(discard, { danger: true });

interface Guard {
  readonly isDirty: () => boolean;
  readonly isUnstored: () => boolean;
}

// The router supports one blocker only, but a page and its dialog can both have unsaved changes.
const guards = new Set<Guard>();
const some = (what: keyof Guard) => [...guards].some((guard) => guard[what]());

/** Asks before the operator leaves the page by link, back button or closing the tab. Unstored input is lost even by a move within the page. */
export const useLeaveGuard = (isDirty: () => boolean, isUnstored: () => boolean = () => false) => {
  const dirty = useEffectEvent(isDirty);
  const unstored = useEffectEvent(isUnstored);
  useEffect(() => {
    const guard = { isDirty: () => dirty(), isUnstored: () => unstored() };
    guards.add(guard);
    return () => void guards.delete(guard);
  }, []);
};

/** One blocker for all guards, mounted around the pages. */
export const useLeaveWatch = () => {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const isAnother = currentLocation.pathname !== nextLocation.pathname || isReset(nextLocation.state);
    return some('isUnstored') || (isAnother && some('isDirty'));
  });
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void mayDiscard().then((yes) => (yes ? blocker.proceed() : blocker.reset()));
  }, [blocker]);
  // Without a session the page is already closing.
  useBeforeUnload((e) => {
    if (readSession() && some('isDirty')) e.preventDefault();
  });
};
