import { templateCalls } from '@farlink/contract/config/config-template.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { DifferencePages } from '../../kit/document/difference-pages.tsx';
import { OptionSelect } from '../../kit/form/option-select.tsx';
import { call } from '../../kit/net/call.ts';
import { Callout } from '../../ui/native/callout.tsx';
import { EmptyState } from '../../ui/native/empty-state.tsx';
import { Panel } from '../../ui/native/panel.tsx';
import './config-template.css';

const texts = {
  title: ['预览 · {0}', 'Preview · {0}'],
  device: ['设备', 'Device'],
  choose: ['选择一台设备', 'Choose a device'],
  hint: [
    '查看该模板连同设备继承的其他模板会改变什么',
    'See what this template changes, together with the other templates that the device inherits',
  ],
  none: ['该设备无需修改', 'No changes needed on this device'],
  problems: ['{0} 处问题会使下发失败', 'Problems that make applying fail: {0}'],
} as const satisfies Record<string, Text>;

interface PreviewPanelProps {
  readonly id: number;
  readonly name: string;
  readonly onClose: () => void;
}

/** Shows the changes that a template would make on one device. */
const PreviewPanel = ({ id, name, onClose }: PreviewPanelProps) => {
  const [device, setDevice] = useState<number>();
  const { data } = useQuery({
    queryKey: ['template-preview', id, device],
    queryFn: () => call(templateCalls.preview, { id, device_id: device ?? 0 }),
    enabled: device !== undefined,
    retry: false,
  });
  const changed = data?.pages.filter((page) => page.differences.length > 0 || data.problems.some((problem) => problem.page === page.page));
  return (
    <Panel title={t(texts.title, name)} width={980} onClose={onClose}>
      <div className="preview-device">
        <label htmlFor="preview-device">{t(texts.device)}</label>
        <OptionSelect id="preview-device" lookup="device/option" value={device} onChange={setDevice} />
      </div>
      {!data && <EmptyState title={t(texts.choose)} hint={t(texts.hint)} />}
      {data && data.problems.length > 0 && <Callout tone="error">{t(texts.problems, data.problems.length)}</Callout>}
      {changed?.length === 0 && <EmptyState title={t(texts.none)} />}
      {changed && data && <DifferencePages pages={changed} problems={data.problems} />}
    </Panel>
  );
};
export default PreviewPanel;
