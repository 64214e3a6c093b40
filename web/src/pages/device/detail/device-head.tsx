import { deviceDetail } from '@farlink/contract/device/device-detail.ts';
import { device } from '@farlink/contract/device/device-resource.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { ActionBar } from '../../../kit/actions/action-bar.tsx';
import { offersOf } from '../../../kit/actions/action-state.ts';
import { t } from '../../../kit/chrome/lang.ts';
import { notify } from '../../../kit/chrome/notify.tsx';
import { Cell } from '../../../kit/list/cell.tsx';
import { useMe } from '../../../kit/net/session.ts';
import { copyText } from '../../../ui/browser/copy.ts';
import { tips } from '../../../ui/browser/tip.ts';
import { useWidth } from '../../../ui/browser/use-width.ts';
import { IconButton } from '../../../ui/native/icon-button.tsx';
import { CopyIcon } from '../../../ui/theme/icons.ts';

const texts = {
  copy: ['复制设备SN', 'Copy the SN'],
  copied: ['已复制', 'Copied'],
  notCopied: ['浏览器不允许复制', 'The browser does not allow copying'],
} as const satisfies Record<string, Text>;

/** Padding left and right of the buttons. */
const padding = 32;

const { fields } = device;
type Tagged = 'online_state' | 'network' | 'auth_status' | 'status' | 'transfer_status';

/** Normal states have no tag. */
const tagsOf = (record: AnyRow): Tagged[] => [
  'online_state',
  ...(record.online_state === 1 ? (['network'] as const) : []),
  'auth_status',
  ...(record.status === 0 ? [] : (['status'] as const)),
  ...(record.transfer_status ? (['transfer_status'] as const) : []),
];

export const DeviceHead = ({ record, act }: { readonly record: AnyRow; readonly act: (key: string) => void }) => {
  const me = useMe();
  const [bar, width] = useWidth(1000);
  const sn = String(record.sn);
  const copy = async () => ((await copyText(sn)) ? notify.success(t(texts.copied)) : notify.warning(t(texts.notCopied)));
  return (
    <header className="row card detail-head device-head" ref={bar} {...tips}>
      <h2 className="clip" data-tip="">
        {String(record.name)}
      </h2>
      {record.name !== sn && <span className="mono muted clip device-sn">{sn}</span>}
      <IconButton label={t(texts.copy)} onClick={() => void copy()}>
        <CopyIcon aria-hidden />
      </IconButton>
      <span className="row detail-tags">
        {tagsOf(record).map((name) => (
          <Cell key={name} field={fields[name]} value={record[name]} />
        ))}
      </span>
      <div className="device-actions">
        <ActionBar offers={offersOf(deviceDetail, 'record', me, record)} act={act} availableWidth={width - padding} />
      </div>
    </header>
  );
};
