import { compareCalls } from '@farlink/contract/config/compare.ts';
import type { ConfigTree } from '@farlink/contract/config/config.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { Unread } from '../../../kit/chrome/read-failed.tsx';
import { DifferencePages } from '../../../kit/document/difference-pages.tsx';
import { OptionSelect } from '../../../kit/form/option-select.tsx';
import { call } from '../../../kit/net/call.ts';
import { Callout } from '../../../ui/native/callout.tsx';
import { EmptyState } from '../../../ui/native/empty-state.tsx';
import { Panel } from '../../../ui/native/panel.tsx';

const texts = {
  title: ['对比配置 · {0}', 'Compare · {0}'],
  other: ['对比设备', 'Compare with'],
  choose: ['选择要对比的设备', 'Choose a device to compare with'],
  hint: ['按页列出两台设备配置的差异；密码类内容只显示是否不同', 'Lists differences page by page; for secrets, only whether they differ'],
  none: ['两台设备的配置相同', 'The two devices have the same configuration'],
  unread: ['{0} 页尚未从网关读取，未对比', 'Not compared, because not read from the gateway: {0} pages'],
  found: ['{0} 页不同，{1} 页相同', 'Different pages: {0}; same pages: {1}'],
} as const satisfies Record<string, Text>;

interface ComparePanelProps {
  readonly device: ConfigTree['device'];
  readonly onClose: () => void;
}

const ComparePanel = ({ device, onClose }: ComparePanelProps) => {
  const [other, setOther] = useState<number>();
  const { data, isError, refetch } = useQuery({
    queryKey: ['config-compare', device.id, other],
    queryFn: () => call(compareCalls.compare, { device_id: device.id, other_id: other ?? 0 }),
    enabled: other !== undefined,
    retry: false,
  });
  return (
    <Panel title={t(texts.title, device.name)} width={980} onClose={onClose}>
      <div className="row tool-select">
        <label htmlFor="compare-other">{t(texts.other)}</label>
        <OptionSelect id="compare-other" lookup="device/option" value={other} onChange={setOther} />
      </div>
      {isError && <Unread retry={refetch} />}
      {other === undefined && <EmptyState title={t(texts.choose)} hint={t(texts.hint)} />}
      {data && data.unread > 0 && <Callout tone="warning">{t(texts.unread, data.unread)}</Callout>}
      {data?.pages.length === 0 && data.unread === 0 && <EmptyState title={t(texts.none)} />}
      {data && data.pages.length > 0 && (
        <>
          <p className="muted">{t(texts.found, data.pages.length, data.same)}</p>
          <DifferencePages pages={data.pages} sides={[data.left.name, data.right.name]} />
        </>
      )}
    </Panel>
  );
};
export default ComparePanel;
