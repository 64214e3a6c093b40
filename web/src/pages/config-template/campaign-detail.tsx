import {
  configCampaignCalls as calls,
  configCampaign,
  configCampaignActions,
  configTarget,
  retryStates,
  type TargetState,
  targetState,
} from '@farlink/contract/config/campaign.ts';
import { errors as refusals } from '@farlink/contract/errors.ts';
import type { Page } from '@farlink/contract/kit/page.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { durationText } from '@farlink/contract/kit/units.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { offersOf } from '../../kit/actions/action-state.ts';
import { usePageActions } from '../../kit/actions/use-page-actions.tsx';
import { t } from '../../kit/chrome/lang.ts';
import { pageAt, useRouteId } from '../../kit/chrome/route.ts';
import { RecordState } from '../../kit/form/record-state.tsx';
import { Cell } from '../../kit/list/cell.tsx';
import PlainList from '../../kit/list/plain-list.tsx';
import { usePollWhileRunning } from '../../kit/live/use-poll-while-running.ts';
import { CallError, call } from '../../kit/net/call.ts';
import { useMe } from '../../kit/net/session.ts';
import { tips } from '../../ui/browser/tip.ts';
import { timeText } from '../../ui/format.ts';
import { ActionButton } from '../../ui/native/action-button.tsx';
import { Callout } from '../../ui/native/callout.tsx';
import { TagList } from '../../ui/native/tag-list.tsx';
import './config-template.css';

const texts = {
  share: ['各状态的设备', 'Devices by state'],
  all: ['全部', 'All'],
  devices: ['设备', 'Devices'],
  pages: ['配置页', 'Pages'],
  operator: ['操作人', 'Operator'],
  begun: ['创建时间', 'Created at'],
  ended: ['结束时间', 'Ended at'],
  rollback: ['失联自动回退', 'Back if lost'],
  off: ['不启用', 'Off'],
  note: ['说明', 'Note'],
} as const satisfies Record<string, Text>;

const pollMs = 2000;
const list = '/device/config-campaign';
const target = { key: 'configTarget', title: texts.devices, list: calls.devices, resource: configTarget } as const;
const toDevice = { key: 'detail', action: { on: 'row', label: ['详情', 'Details'], to: '/device/detail/:device_id' } } as const;
const { retry, stop } = configCampaignActions;
const page: Page = { ...configCampaign, actions: { retry, stop } };
const isMoving = (row: AnyRow) => row.state === 'queued' || row.state === 'waiting';

/** One campaign in progress: number of devices by state, and the devices. */
const CampaignDetail = () => {
  const id = useRouteId();
  const me = useMe();
  const [state, setState] = useState<TargetState>();
  const { data, error, refetch } = useQuery({
    queryKey: ['record', calls.read.path, id],
    queryFn: () => call(calls.read, { id }, { silent: true, overlay: false }),
    refetchInterval: ({ state: { data } }) => (data && data.counts.queued + data.counts.waiting > 0 ? pollMs : false),
    retry: false,
  });
  const actions = usePageActions(page, {});
  usePollWhileRunning(target.key, isMoving);
  const device = pageAt(toDevice.action.to);
  if (!data) {
    const isMissing = error instanceof CallError && error.code === refusals.not_found.code;
    return <RecordState loaded={{ isMissing, failed: error !== null, reload: () => void refetch() }} back={list} />;
  }
  const retry_count = retryStates.reduce((sum, one) => sum + data.counts[one], 0);
  const row: AnyRow = { ...data, retry_count };
  const shown = targetState.filter(({ id: one }) => data.counts[one] > 0);
  return (
    <div className="detail-page">
      <section className="card campaign-head" {...tips}>
        <div className="row campaign-title">
          <h2 className="clip">{data.title}</h2>
          <Cell field={configCampaign.resource.fields.kind} value={data.kind} />
          <Cell field={configCampaign.resource.fields.state} value={data.state} />
          <span className="spring" />
          {offersOf(page, 'row', me, row).map(({ key, action, refusal }) => (
            <ActionButton
              key={key}
              label={t(action.label)}
              danger={action.danger === true}
              refusal={refusal && t(refusal)}
              onClick={() => actions.act(key, row)}
            />
          ))}
        </div>
        {data.state === 'failed' && data.message && <Callout tone="error">{data.message}</Callout>}
        <div
          className="campaign-share"
          role="img"
          aria-label={`${t(texts.share)}: ${shown.map((one) => `${t(one.label)} ${data.counts[one.id]}`).join(', ')}`}
        >
          {shown.map(({ id: one }) => (
            <span key={one} data-state={one} style={{ flexGrow: data.counts[one] }} />
          ))}
        </div>
        <div className="row wrap campaign-counts">
          <button
            type="button"
            className="inline box campaign-count"
            aria-pressed={state === undefined}
            onClick={() => setState(undefined)}
          >
            {t(texts.all)} <strong>{data.device_count}</strong>
          </button>
          {shown.map(({ id: one, label }) => (
            <button
              key={one}
              type="button"
              className="inline box campaign-count"
              aria-pressed={state === one}
              onClick={() => setState(one)}
            >
              <span className="dot campaign-dot" data-state={one} aria-hidden />
              {t(label)} <strong>{data.counts[one]}</strong>
            </button>
          ))}
        </div>
        <dl className="flow campaign-facts">
          <Fact name={texts.pages}>
            <TagList tags={data.pages.map((name) => ({ label: name }))} />
          </Fact>
          <Fact name={texts.operator}>{data.operator}</Fact>
          <Fact name={texts.begun}>{timeText(data.create_at)}</Fact>
          {data.finish_at !== null && <Fact name={texts.ended}>{timeText(data.finish_at)}</Fact>}
          <Fact name={texts.rollback}>{data.keep === 0 ? t(texts.off) : t(durationText(data.keep))}</Fact>
          {data.note && <Fact name={texts.note}>{data.note}</Fact>}
        </dl>
      </section>
      <section className="card campaign-devices" aria-label={t(texts.devices)}>
        <PlainList
          page={target}
          params={{ id, ...(state !== undefined && { state }) }}
          open={device && mayOpen(device, me) ? toDevice : undefined}
        />
      </section>
      {actions.open}
    </div>
  );
};

const Fact = ({ name, children }: { readonly name: Text; readonly children: ReactNode }) => (
  <div>
    <dt>{t(name)}</dt>
    <dd>{children}</dd>
  </div>
);

export default CampaignDetail;
