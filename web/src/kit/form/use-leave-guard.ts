import type { Text } from '@farlink/contract/kit/text.ts';
import { useEffect, useEffectEvent } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router';
import { confirm } from '../chrome/notify.tsx';
import { isTurn } from '../chrome/route.ts';
import { readSession } from '../net/session.ts';

/** Confirmation before input is lost. */
export const discard: Text = ['有未保存的修改，确定放弃吗？', 'You have unsaved changes. Discard them?'];
export const mayDiscard = () => confirm(discard, { danger: true });

interface Guard {
  readonly isDirty: () => boolean;
  readonly isHeld: () => boolean;
}

// The router supports one blocker only, but a page and its dialog can both have unsaved changes.
const guards = new Set<Guard>();
const some = (what: keyof Guard) => [...guards].some((guard) => guard[what]());

/** Asks before the operator leaves the page by link, back button or closing the tab. Held input is lost even by a move within the page. */
export const useLeaveGuard = (isDirty: () => boolean, isHeld: () => boolean = () => false) => {
  const dirty = useEffectEvent(isDirty);
  const held = useEffectEvent(isHeld);
  useEffect(() => {
    const guard = { isDirty: () => dirty(), isHeld: () => held() };
    guards.add(guard);
    return () => void guards.delete(guard);
  }, []);
};

/** One blocker for all guards, mounted around the pages. */
export const useLeaveWatch = () => {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const isAnother = currentLocation.pathname !== nextLocation.pathname || isTurn(nextLocation.state);
    return some('isHeld') || (isAnother && some('isDirty'));
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
