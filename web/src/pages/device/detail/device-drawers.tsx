import { deviceAccountCalls } from '@farlink/contract/device/device-account.ts';
import { deviceViews } from '@farlink/contract/device/device-views.ts';
import { transferActions, transferCalls } from '@farlink/contract/device/transfer.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Run } from '../../../kit/actions/use-page-actions.tsx';
import { t } from '../../../kit/chrome/lang.ts';
import { Panel } from '../../../ui/native/panel.tsx';

const OnlineUsers = lazy(() => import('./online-users.tsx'));
const LoadView = lazy(() => import('./load-view.tsx'));
const PlainList = lazy(() => import('../../../kit/list/plain-list.tsx'));

type View = 'onlineUser' | 'load' | 'account' | 'transfers';

const accounts = {
  key: 'device-accounts',
  title: deviceViews.account.label,
  list: deviceAccountCalls.list,
  resource: deviceAccountCalls.list.resource,
};

const transfers = {
  key: 'device-transfers',
  title: transferActions.transfers.label,
  list: transferCalls.list,
  resource: transferCalls.list.resource,
};

const titles: Readonly<Record<View, Text>> = {
  onlineUser: deviceViews.onlineUser.label,
  load: deviceViews.load.label,
  account: deviceViews.account.label,
  transfers: transferActions.transfers.label,
};

const contents: Readonly<Record<View, (id: number) => ReactNode>> = {
  onlineUser: (id) => <OnlineUsers id={id} />,
  load: (id) => <LoadView id={id} />,
  account: (id) => <PlainList page={accounts} params={{ device_id: id }} />,
  transfers: (id) => <PlainList page={transfers} params={{ device_id: id }} />,
};

/** Drawers of the device list: `run` for its actions, `open` beside the list. */
export const useDeviceDrawers = (): { readonly run: Run; readonly open: ReactNode } => {
  const [shown, setShown] = useState<{ readonly view: View; readonly row: AnyRow }>();
  const show = (view: View) => (row: AnyRow) => setShown({ view, row });
  return {
    run: { onlineUser: show('onlineUser'), load: show('load'), account: show('account'), transfers: show('transfers') },
    open: shown && (
      <Panel
        title={`${t(titles[shown.view])} · ${String(shown.row.name)}`}
        width={shown.view === 'account' ? 640 : 1040}
        onClose={() => setShown(undefined)}
      >
        <Suspense>{contents[shown.view](shown.row.id)}</Suspense>
      </Panel>
    ),
  };
};
