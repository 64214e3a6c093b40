import { configCampaignCalls, copyFields } from '@farlink/contract/config/campaign.ts';
import type { ConfigTree } from '@farlink/contract/config/config.ts';
import { pick } from '@farlink/contract/kit/field.ts';
import { form } from '@farlink/contract/kit/page.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../../../kit/chrome/lang.ts';
import { usePages } from '../../../kit/document/schema.ts';
import { startValues } from '../../../kit/form/form-values.ts';
import { RecordForm } from '../../../kit/form/record-form.tsx';
import { callRows } from '../../../kit/net/call-rows.ts';
import { EmptyState } from '../../../ui/native/empty-state.tsx';
import { Panel } from '../../../ui/native/panel.tsx';
import { PageSelection } from '../frame/page-selection.tsx';
import { useTree } from '../use-config.ts';

const texts = {
  title: ['复制到其他设备 · {0}', 'Copy to other devices · {0}'],
  pages: ['要复制的配置页', 'Pages to copy'],
  hint: [
    '整页复制该设备当前要求的配置（含密码等保密内容），覆盖目标设备的同一页；结果在下发任务中跟踪',
    'Copies whole pages of this device, including secrets, over the same pages of the target devices. Track progress in the campaign.',
  ],
  none: ['请选择配置页', 'Please choose pages'],
  empty: ['该设备没有可复制的配置页', 'This device has no pages to copy'],
} as const satisfies Record<string, Text>;

const howFields = pick(copyFields, 'target', 'vno_id', 'device_group_id', 'device_ids', 'force', 'keep', 'note');
const howForm = form(['复制', 'Copy'], howFields);

interface CopyPanelProps {
  readonly device: ConfigTree['device'];
  readonly page: string | undefined;
  readonly onClose: () => void;
}

const CopyPanel = ({ device, page, onClose }: CopyPanelProps) => {
  const navigate = useNavigate();
  const { data: tree } = useTree(device.id);
  const offered = (tree?.groups ?? []).flatMap(({ pages }) =>
    pages.filter((node) => node.state !== null && node.writable).map(({ key }) => key),
  );
  const [pages, setPages] = useState<readonly string[]>(page === undefined ? [] : [page]);
  const chosen = pages.filter((key) => offered.includes(key));
  const schemas = usePages(offered);
  const submit = async (values: Values, key: string) => {
    const input = { ...values, source: 'device', device_id: device.id, pages: chosen };
    const reply: unknown = await callRows(configCampaignCalls.copy, [], input, { overlay: false, key });
    onClose();
    if (isRecord(reply)) await navigate(`/device/config-campaign/${String(reply.id)}`);
  };
  return (
    <Panel title={t(texts.title, device.name)} width={760} onClose={onClose}>
      <p className="muted">{t(texts.hint)}</p>
      {tree && offered.length === 0 && <EmptyState title={t(texts.empty)} />}
      {offered.length > 0 && <PageSelection label={texts.pages} schemas={schemas} offered={offered} chosen={chosen} onChange={setPages} />}
      {chosen.length > 0 ? (
        <RecordForm form={howForm} start={startValues(howFields)} onSubmit={submit} onCancel={onClose} />
      ) : (
        offered.length > 0 && <EmptyState title={t(texts.none)} />
      )}
    </Panel>
  );
};
export default CopyPanel;
