import type { Text } from '@farlink/contract/kit/text.ts';
import { useEffect, useEffectEvent } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router';
import { confirm } from './notify.tsx';
import { isTurn } from './route.ts';
import { readSession } from './session.ts';

/** Asked before what was typed is lost. */
export const discard: Text = ['有未保存的修改，确定放弃吗？', 'You have unsaved changes. Discard them?'];
export const mayDiscard = () => confirm(discard, { danger: true });

interface Guard {
  readonly isDirty: () => boolean;
  readonly isHeld: () => boolean;
}

// The router heeds one blocker only, and a page with unsaved changes may have a dialog with some of its own.
const guards = new Set<Guard>();
const some = (what: keyof Guard) => [...guards].some((guard) => guard[what]());

/**
 * Asks before the operator leaves the page: by a link, by the back button, by closing the tab. What is held does not outlive even a move
 * within the page.
 */
export const useLeaveGuard = (isDirty: () => boolean, isHeld: () => boolean = () => false) => {
  const dirty = useEffectEvent(isDirty);
  const held = useEffectEvent(isHeld);
  useEffect(() => {
    const guard = { isDirty: () => dirty(), isHeld: () => held() };
    guards.add(guard);
    return () => void guards.delete(guard);
  }, []);
};

/** Asks for all of them; stands once, around the pages. */
export const useLeaveWatch = () => {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const isAnother = currentLocation.pathname !== nextLocation.pathname || isTurn(nextLocation.state);
    return some('isHeld') || (isAnother && some('isDirty'));
  });
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void mayDiscard().then((yes) => (yes ? blocker.proceed() : blocker.reset()));
  }, [blocker]);
  // Whoever has no session any more is on the way out already.
  useBeforeUnload((e) => {
    if (readSession() && some('isDirty')) e.preventDefault();
  });
};
