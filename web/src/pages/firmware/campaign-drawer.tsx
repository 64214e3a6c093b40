import { campaign, campaignActions, campaignCalls, campaignDevice, campaignState } from '@farlink/contract/firmware/campaign.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { useState } from 'react';
import { EmbeddedList } from '../../kit/embedded-list.tsx';
import { t } from '../../kit/lang.ts';
import PlainList from '../../kit/plain-list.tsx';
import { pageAt } from '../../kit/route.ts';
import { useMe } from '../../kit/session.ts';
import type { Run } from '../../kit/use-desk.tsx';
import { useNews } from '../../kit/use-news.ts';
import { Panel } from '../../ui/panel.tsx';

const campaigns = {
  key: 'firmwareCampaign',
  title: ['升级任务', 'Campaigns'],
  list: campaignCalls.list,
  resource: campaign,
  actions: campaignActions,
} as const;

const devices = { key: 'campaignDevice', title: ['设备明细', 'Devices'], list: campaignCalls.devices, resource: campaignDevice } as const;

const isOpen = (row: AnyRow) => row.open_count !== 0 || campaignState.can('end', row.state);
const isUnderWay = (row: AnyRow) => ['queued', 'sending', 'verifying'].some((state) => state === row.state);
const detail = { key: 'detail', action: { on: 'row', label: ['详情', 'Details'], to: '/device/detail/:device_id' } } as const;

/** The devices of one campaign: how far each is, and why it waits or failed. */
const CampaignDevices = ({ row, onClose }: { readonly row: AnyRow; readonly onClose: () => void }) => {
  const me = useMe();
  const target = pageAt(detail.action.to);
  useNews(devices.key, isUnderWay);
  return (
    <Panel title={`${t(devices.title)} · ${String(row.version)}`} width={1080} onClose={onClose}>
      <PlainList page={devices} params={{ id: row.id }} open={target && mayOpen(target, me) ? detail : undefined} />
    </Panel>
  );
};

/** Upgrades and roll-backs as they go on: asked for anew while one is under way. */
const CampaignDrawer = ({ onClose }: { readonly onClose: () => void }) => {
  const [shown, setShown] = useState<AnyRow>();
  useNews(campaigns.key, isOpen);
  const run: Run = { devices: (row) => setShown(row) };
  return (
    <Panel title={t(campaigns.title)} width={1240} onClose={onClose}>
      <EmbeddedList page={campaigns} params={{}} run={run} />
      {shown && <CampaignDevices row={shown} onClose={() => setShown(undefined)} />}
    </Panel>
  );
};
export default CampaignDrawer;
