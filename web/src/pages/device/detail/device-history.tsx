import { deviceDetailCalls as calls } from '@farlink/contract/device/device-detail.ts';
import { deviceHistory } from '@farlink/contract/device/device-history.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { eventKind } from '@farlink/contract/protocol/event.ts';
import { useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { t } from '../../../kit/chrome/lang.ts';
import PlainList from '../../../kit/list/plain-list.tsx';
import { lists } from './use-device.ts';

const title: Text = ['事件', 'History'];
const only: Text = ['仅显示：{0}', 'Only: {0}'];
const all: Text = ['显示全部', 'Show all'];
const page = { key: lists.history, title, list: calls.history, resource: deviceHistory };

/** Events of a device; a link can limit them to one kind. */
const DeviceHistory = ({ id }: { readonly id: number }) => {
  const [query] = useSearchParams();
  const top = useRef<HTMLDivElement>(null);
  const kind = eventKind.find((each) => each.id === query.get('kind'));
  useEffect(() => {
    if (kind) top.current?.scrollIntoView({ block: 'start' });
  }, [kind]);
  return (
    <div ref={top}>
      {kind && (
        <p className="history-only">
          <span>{t(only, kind.label)}</span>
          <Link className="act" to={{ search: '?tab=history' }} replace preventScrollReset>
            {t(all)}
          </Link>
        </p>
      )}
      <PlainList key={kind?.id ?? ''} page={page} params={kind ? { id, kind: kind.id } : { id }} />
    </div>
  );
};
export default DeviceHistory;
