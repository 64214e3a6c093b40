import { deviceAccountCalls } from '@farlink/contract/device/device-account.ts';
import { deviceDetailCalls as calls, deviceDetail } from '@farlink/contract/device/device-detail.ts';
import { device } from '@farlink/contract/device/device-resource.ts';
import { loadCalls } from '@farlink/contract/device/load.ts';
import { onlineUserCalls } from '@farlink/contract/device/online-user.ts';
import { remoteCalls, remoteHistory } from '@farlink/contract/device/remote.ts';
import { shadowState } from '@farlink/contract/device/shadow.ts';
import { transferActions, transferCalls } from '@farlink/contract/device/transfer.ts';
import { videoCalls } from '@farlink/contract/device/video.ts';
import type { Fields } from '@farlink/contract/kit/field.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { durationText } from '@farlink/contract/kit/units.ts';
import { dockerCalls } from '@farlink/contract/log/docker-log.ts';
import { linkLogCalls } from '@farlink/contract/log/link-log.ts';
import { trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { lazy } from 'react';
import { Link, useNavigate } from 'react-router';
import { type PageActions, type Run, usePageActions } from '../../../kit/actions/use-page-actions.tsx';
import { t } from '../../../kit/chrome/lang.ts';
import { notify } from '../../../kit/chrome/notify.tsx';
import { ReadFailed } from '../../../kit/chrome/read-failed.tsx';
import { useRouteId } from '../../../kit/chrome/route.ts';
import { type Tab, Tabs } from '../../../kit/chrome/tabs.tsx';
import { RecordState } from '../../../kit/form/record-state.tsx';
import { RecordView } from '../../../kit/form/record-view.tsx';
import { useRecord } from '../../../kit/form/use-record.ts';
import PlainList, { type ListDefinition } from '../../../kit/list/plain-list.tsx';
import { call } from '../../../kit/net/call.ts';
import '../../../ui/styles/detail.css';
import { useRemote } from '../remote/use-remote.tsx';
import { AccountsCard } from './accounts-card.tsx';
import { DeviceHead } from './device-head.tsx';
import { DeviceStrip } from './device-strip.tsx';
import { IntervalLine } from './interval-line.tsx';
import { LinkBoard } from './link-board.tsx';
import { PositionCard } from './position-card.tsx';
import { TrafficCard } from './traffic-card.tsx';
import { lists, useDeviceNow, useLiveDevice } from './use-device.ts';
import './device-detail.css';

const DeviceHistory = lazy(() => import('./device-history.tsx'));
const LoadView = lazy(() => import('./load-view.tsx'));
const OnlineUsers = lazy(() => import('./online-users.tsx'));
const TrafficTab = lazy(() => import('../../../kit/traffic/traffic-tab.tsx'));
const VideoView = lazy(() => import('./video-view.tsx'));
const RemoteSessionList = lazy(() => import('../remote/remote-session-list.tsx'));

const back = '/device/list';

const texts = {
  waiting: ['{0} 项待网关确认', '{0} not confirmed by the gateway yet'],
  interval: ['采集周期 {0}（{1}）', 'Sampled every {0} ({1})'],
} as const satisfies Record<string, Text>;

/** Shown above, or not useful on a detail page. */
const elsewhere = ['name', 'sn', 'wan_links', 'lan_status'];
const facts: Fields = Object.fromEntries(
  Object.entries(device.fields).filter(([name]) => device.columns.some((c) => c === name) && !elsewhere.includes(name)),
);

type Listed = Pick<ListDefinition, 'list' | 'resource'> & {
  readonly key: string;
  readonly title: Text;
  readonly without?: readonly string[];
};

const listed = ({ key, title, without, ...definition }: Listed, params: Readonly<Record<string, unknown>>): Tab => ({
  key: key.replace(/^device-/, ''),
  title,
  call: definition.list,
  content: () => <PlainList page={{ key, title, ...definition }} params={params} without={without} />,
});

const listOf = <C extends { readonly resource: ListDefinition['resource'] } & ListDefinition['list']>(e: C) => ({
  list: e,
  resource: e.resource,
});

const own = ['device_name', 'sn', 'agent_name'];

const tabsOf = (record: AnyRow, actions: PageActions): Tab[] => {
  const { id } = record;
  return [
    {
      key: 'info',
      title: ['设备信息', 'Device'],
      content: () => (
        <div className="detail-facts">
          <RecordView fields={facts} record={record} isGrid />
        </div>
      ),
    },
    listed({ key: lists.links, title: ['链路信息', 'Links'], ...listOf(linkLogCalls.list), without: own }, { device_id: id }),
    { key: 'users', title: ['在线用户', 'Online users'], call: onlineUserCalls.list, content: () => <OnlineUsers id={id} /> },
    {
      key: 'load',
      title: ['设备负载', 'Load'],
      call: loadCalls.series,
      content: () => <LoadView id={id} head={<IntervalLine id={id} onChange={() => actions.act('loadInterval', record)} />} />,
    },
    listed({ key: 'device-docker', title: ['Docker', 'Docker'], ...listOf(dockerCalls.list), without: own }, { device_id: id }),
    {
      key: 'traffic',
      title: ['流量趋势', 'Traffic'],
      call: trafficCalls.flow_usr.trend,
      content: () => <TrafficTab route="/flow/business" filters={{ device_id: id }} />,
    },
    { key: 'video', title: ['视频', 'Video'], call: videoCalls.read, content: () => <VideoView id={id} /> },
    listed({ key: 'device-account', title: ['网关账号', 'Gateway account'], ...listOf(deviceAccountCalls.list) }, { device_id: id }),
    { key: 'history', title: ['事件', 'History'], call: calls.history, content: () => <DeviceHistory id={id} /> },
    listed({ key: lists.commands, title: ['下发命令', 'Commands'], ...listOf(calls.commands) }, { id }),
    { key: 'remote', title: remoteHistory.label, call: remoteCalls.sessions, content: () => <RemoteSessionList id={id} /> },
    listed({ key: 'device-transfers', title: transferActions.transfers.label, ...listOf(transferCalls.list) }, { device_id: id }),
    listed({ key: 'device-log', title: ['操作日志', 'Operator log'], ...listOf(calls.log) }, { id }),
  ];
};

/** Forms that start with the desired values of the gateway, and actions that only send a request. */
const runOf = (show: (tab: string) => void): Run => ({
  loadInterval: async (row, actions) => {
    const { interval } = await call(loadCalls.interval, { device_id: row.id }, { overlay: true });
    await actions.openForm('loadInterval', { ...row, interval });
  },
  videoSet: async (row, actions) => {
    const { enable, url, up_limit } = await call(videoCalls.read, { device_id: row.id }, { overlay: true });
    await actions.openForm('videoSet', { ...row, enable, url, up_limit });
  },
  loadIntervalGet: async (row) => {
    const { interval, shadow } = await call(loadCalls.interval, { device_id: row.id }, { overlay: true });
    const state = shadowState.find((s) => s.id === shadow.state);
    notify.info(t(texts.interval, durationText(interval), state?.label ?? shadow.state));
    show('load');
  },
  videoGet: () => show('video'),
});

/** One device: current state, position and track, properties, history and actions. */
const DeviceDetail = () => {
  const id = useRouteId();
  const navigate = useNavigate();
  const loaded = useRecord(calls.read, id);
  const { data: now, isError, refetch } = useDeviceNow(id);
  useLiveDevice(id);
  const show = (tab: string) => void navigate({ search: `?tab=${tab}` }, { replace: true, preventScrollReset: true });
  const remote = useRemote();
  const actions = usePageActions(deviceDetail, {}, { ...runOf(show), ...remote.run }, (ids, e) => {
    if (e.kind === 'delete' && ids.length > 0) void navigate(back, { replace: true });
  });
  const { record } = loaded;
  if (!record) return <RecordState loaded={loaded} back={back} />;
  return (
    <div className="detail-page">
      <DeviceHead record={record} act={(key) => actions.act(key, record)} />
      <DeviceStrip record={record} now={now} />
      {now && now.waiting > 0 && (
        <Link className="act device-waiting" to={{ search: '?tab=commands' }} replace preventScrollReset>
          {t(texts.waiting, now.waiting)}
        </Link>
      )}
      <div className="device-columns">
        <LinkBoard now={now} failed={isError && !now && <ReadFailed retry={refetch} />} />
        <PositionCard id={id} now={now} isHere={record.online_state === 1} />
      </div>
      <div className="device-checks">
        <AccountsCard record={record} act={(key) => actions.act(key, record)} />
        <TrafficCard id={id} />
      </div>
      <Tabs tabs={tabsOf(record, actions)} />
      {actions.open}
    </div>
  );
};
export default DeviceDetail;
