import { configCampaignCalls } from '@farlink/contract/config/campaign.ts';
import { compareCalls } from '@farlink/contract/config/compare.ts';
import type { ConfigTree } from '@farlink/contract/config/config.ts';
import { exchangeCalls } from '@farlink/contract/config/exchange.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { useMe } from '../../../kit/net/session.ts';
import { MenuButton } from '../../../ui/native/menu-button.tsx';
import { MoreIcon } from '../../../ui/theme/icons.ts';

const ComparePanel = lazy(() => import('./compare-panel.tsx'));
const ExportDialog = lazy(() => import('./export-dialog.tsx'));
const ImportPanel = lazy(() => import('./import-panel.tsx'));
const BulkPanel = lazy(() => import('./bulk-panel.tsx'));
const CopyPanel = lazy(() => import('./copy-panel.tsx'));

const texts = {
  tools: ['配置工具', 'Tools'],
  compare: ['与其他设备对比', 'Compare with another device'],
  export: ['导出配置', 'Export'],
  import: ['导入配置', 'Import'],
  bulk: ['批量修改某一项', 'Set one field on many devices'],
  copy: ['复制到其他设备', 'Copy to other devices'],
} as const satisfies Record<string, Text>;

interface ToolsProps {
  readonly device: ConfigTree['device'];
  /** The open page. */
  readonly page: string | undefined;
  /** Drafts changed outside of the pages, so everything is loaded again. */
  readonly onChanged: () => void;
}

interface Tool {
  readonly key: keyof typeof texts;
  readonly call: Endpoint;
  readonly open: () => ReactNode;
}

/** Tools for a whole configuration: compare, export, import, and bulk changes. */
export const Tools = ({ device, page, onChanged }: ToolsProps) => {
  const me = useMe();
  const [open, setOpen] = useState<ReactNode>(null);
  const close = () => setOpen(null);
  const tools: readonly Tool[] = [
    { key: 'compare', call: compareCalls.compare, open: () => <ComparePanel device={device} onClose={close} /> },
    { key: 'export', call: exchangeCalls.export, open: () => <ExportDialog device={device} onClose={close} /> },
    { key: 'import', call: exchangeCalls.import, open: () => <ImportPanel device={device} onChanged={onChanged} onClose={close} /> },
    { key: 'bulk', call: configCampaignCalls.bulk, open: () => <BulkPanel device={device} page={page} onClose={close} /> },
    { key: 'copy', call: configCampaignCalls.copy, open: () => <CopyPanel device={device} page={page} onClose={close} /> },
  ];
  const offered = tools.filter(({ call }) => mayCall(call, me));
  if (offered.length === 0) return null;
  return (
    <>
      <MenuButton
        className="inline box tools-button"
        label={t(texts.tools)}
        items={offered.map(({ key, open: make }) => ({ key, label: t(texts[key]), onSelect: () => setOpen(make()) }))}
      >
        {t(texts.tools)} <MoreIcon aria-hidden />
      </MenuButton>
      <Suspense>{open}</Suspense>
    </>
  );
};
