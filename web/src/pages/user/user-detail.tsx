import { billCalls } from '@farlink/contract/finance/bill.ts';
import { counterBill } from '@farlink/contract/finance/bill-lists.ts';
import { variant } from '@farlink/contract/kit/field.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { userAppLogCalls } from '@farlink/contract/log/user-app-log.ts';
import { userPackageCalls } from '@farlink/contract/package/user-package.ts';
import { references } from '@farlink/contract/references.ts';
import { trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { userDetail, userDetailCalls } from '@farlink/contract/user/user-detail.ts';
import { user } from '@farlink/contract/user/user-resource.ts';
import { lazy } from 'react';
import { useNavigate } from 'react-router';
import { ActionBar } from '../../kit/actions/action-bar.tsx';
import { offersOf } from '../../kit/actions/action-state.ts';
import { usePageActions } from '../../kit/actions/use-page-actions.tsx';
import { useRouteId } from '../../kit/chrome/route.ts';
import { type Tab, Tabs } from '../../kit/chrome/tabs.tsx';
import { RecordState } from '../../kit/form/record-state.tsx';
import { useRecord } from '../../kit/form/use-record.ts';
import { Cell } from '../../kit/list/cell.tsx';
import PlainList, { type ListDefinition } from '../../kit/list/plain-list.tsx';
import { useMe } from '../../kit/net/session.ts';
import { tips } from '../../ui/browser/tip.ts';
import { useWidth } from '../../ui/browser/use-width.ts';
import '../../ui/styles/detail.css';
import { PolicyChain } from './policy-chain.tsx';
import { useLiveUser } from './use-live-user.ts';
import { UserFacts } from './user-facts.tsx';
import { UserPackages } from './user-packages.tsx';
import { UserServicePanel } from './user-service-panel.tsx';
import { UserServiceStatus } from './user-service-status.tsx';
import './user-detail.css';

const TrafficTab = lazy(() => import('../../kit/traffic/traffic-tab.tsx'));

const list = '/user/list';
/** Share of the line for the name; the buttons get the rest. */
const nameShare = 0.45;

type Listed = Pick<ListDefinition, 'list' | 'resource'> & {
  readonly key: string;
  readonly title: Text;
  readonly without?: readonly string[];
};

const own = ['account', 'name', 'device_name', 'agent_name', 'user_name'];

const tab = ({ key, title, without, ...definition }: Listed, params: Readonly<Record<string, unknown>>): Tab => ({
  key,
  title,
  call: definition.list,
  content: () => <PlainList page={{ key: `user-${key}`, title, ...definition }} params={params} without={without} />,
});

const listOf = <C extends { readonly resource: ListDefinition['resource'] } & ListDefinition['list']>(call: C) => ({
  list: call,
  resource: call.resource,
});

/** On the user page a bill number links to the bill list. */
const ownBills = {
  ...counterBill,
  fields: { ...counterBill.fields, bill_no: variant(counterBill.fields.bill_no, { to: references.bill }) },
};

const tabsOf = (id: number, account: string): Tab[] => [
  tab({ key: 'packages', title: ['套餐信息', 'Packages'], ...listOf(userPackageCalls.list), without: own }, { user_id: id }),
  tab({ key: 'service', title: ['服务记录', 'Service history'], ...listOf(userDetailCalls.service) }, { id }),
  tab({ key: 'online', title: ['在线记录', 'Online records'], ...listOf(userCalls.online) }, { user_id: id }),
  {
    key: 'traffic',
    title: ['流量趋势', 'Traffic'],
    call: trafficCalls.flow_usr.trend,
    content: () => <TrafficTab route="/flow/business" filters={{ user_id: id }} link={{ account }} />,
  },
  tab({ key: 'rejections', title: ['登录被拒', 'Rejections'], ...listOf(userCalls.rejections) }, { id }),
  tab({ key: 'bills', title: ['消费账单', 'Bills'], list: billCalls.counter, resource: ownBills, without: own }, { user_id: id }),
  tab({ key: 'cards', title: ['充值卡', 'Cards used'], ...listOf(userDetailCalls.cards) }, { id }),
  tab(
    { key: 'policy', title: ['策略日志', 'Policy log'], ...listOf(userAppLogCalls.list), without: ['account', 'agent_name'] },
    { user_id: id },
  ),
  tab({ key: 'log', title: ['操作日志', 'Operator log'], ...listOf(userDetailCalls.log) }, { id }),
];

const Head = ({ record, act }: { readonly record: AnyRow; readonly act: (key: string) => void }) => {
  const me = useMe();
  const [bar, width] = useWidth(1000);
  return (
    <header className="row card detail-head" ref={bar} {...tips}>
      <h2 className="clip mono-name" data-tip="">
        {String(record.account)}
      </h2>
      <span className="clip muted user-name">{String(record.name)}</span>
      <span className="row detail-tags">
        {(['status', 'online_state', 'account_type'] as const).map((name) => (
          <Cell key={name} field={user.fields[name]} value={record[name]} />
        ))}
      </span>
      <span className="spring" />
      <ActionBar offers={offersOf(userDetail, 'record', me, record)} act={act} availableWidth={width * (1 - nameShare)} />
    </header>
  );
};

/** One account: status, identity, packages, effective policy and history. */
const UserDetail = () => {
  const id = useRouteId();
  const navigate = useNavigate();
  const loaded = useRecord(userCalls.read, id);
  const actions = usePageActions(userDetail, {}, {}, (ids, e) => {
    if (e.kind === 'delete' && ids.length > 0) void navigate(list, { replace: true });
  });
  const { record } = loaded;
  useLiveUser(id, record);
  if (!record) return <RecordState loaded={loaded} back={list} />;
  return (
    <div className="detail-page user-detail">
      <Head record={record} act={(key) => actions.act(key, record)} />
      <UserServicePanel id={id} user={record} act={(key) => actions.act(key, record)} />
      <UserServiceStatus id={id} user={record} />
      <div className="columns wide user-columns">
        <UserFacts user={record} />
        <div className="stack">
          <UserPackages id={id} />
          <PolicyChain id={id} />
        </div>
      </div>
      <Tabs tabs={tabsOf(id, String(record.account))} />
      {actions.open}
    </div>
  );
};
export default UserDetail;
