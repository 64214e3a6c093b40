import type { Text } from '@farlink/contract/kit/text.ts';
import { useEffect } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router';
import { confirm } from './notify.tsx';
import { readSession } from './session.ts';

/** Asked before what was typed is lost. */
export const discard: Text = ['有未保存的修改，确定放弃吗？', 'There are unsaved changes. Discard them?'];

/**
 * Asks before the operator leaves the page: by a link, by the back button, by closing the tab. What is held does not outlive even a move
 * within the page.
 */
export const useLeaveGuard = (isDirty: () => boolean, isHeld: () => boolean = () => false) => {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isHeld() || (currentLocation.pathname !== nextLocation.pathname && isDirty()),
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirm(discard).then((yes) => (yes ? blocker.proceed() : blocker.reset()));
  }, [blocker]);
  // Whoever has no session any more is on the way out already.
  useBeforeUnload((e) => {
    if (readSession() && isDirty()) e.preventDefault();
  });
};
