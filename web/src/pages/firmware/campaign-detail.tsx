import { campaign, campaignCalls, campaignDevice, firmwareCampaignDetail } from '@farlink/contract/firmware/campaign.ts';
import { pick } from '@farlink/contract/kit/field.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { useRouteId } from '../../kit/chrome/route.ts';
import { DetailPage } from '../../kit/form/detail-page.tsx';
import PlainList from '../../kit/list/plain-list.tsx';
import { usePollWhileRunning } from '../../kit/live/use-poll-while-running.ts';

const title: Text = ['设备明细', 'Devices'];
const devices = { key: 'campaignDevice', title, list: campaignCalls.devices, resource: campaignDevice } as const;
const facts = pick(
  campaign.fields,
  'wave',
  'progress',
  'device_count',
  'success_count',
  'fail_count',
  'open_count',
  'send_mode',
  'send_at',
  'operator',
  'agent_name',
  'create_at',
  'finish_at',
  'message',
  'remark',
);
const pollMs = 2000;

const isUnderWay = (row: AnyRow) => ['queued', 'sending', 'verifying'].some((state) => state === row.state);

/** One campaign in progress, with each of its devices. */
const CampaignDetail = () => {
  const id = useRouteId();
  const client = useQueryClient();
  usePollWhileRunning(devices.key, isUnderWay);
  useEffect(() => {
    const timer = setInterval(() => {
      const cached = client.getQueryData<AnyRow>(['record', campaignCalls.read.path, id]);
      if (!document.hidden && cached?.open_count !== 0)
        void client.invalidateQueries({ queryKey: ['record', campaignCalls.read.path, id] });
    }, pollMs);
    return () => clearInterval(timer);
  }, [client, id]);
  return (
    <DetailPage
      page={firmwareCampaignDetail}
      read={campaignCalls.read}
      id={id}
      fields={{ ...pick(campaign.fields, 'kind', 'state'), ...facts }}
      name="version"
      tags={['kind', 'state']}
      back="/firmware/campaign"
      middle={() => (
        <section className="card" aria-label={t(title)}>
          <PlainList page={devices} params={{ id }} />
        </section>
      )}
    />
  );
};
export default CampaignDetail;
