import type { HomeSummary } from '@farlink/contract/home/summary.ts';
import { cents } from '@farlink/contract/kit/money.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { t } from '../../kit/chrome/lang.ts';
import { changeText } from '../../ui/charts/stack.ts';
import { clockText, moneyText, numberText } from '../../ui/format.ts';
import { Unavailable } from './home-card.tsx';
import { homeLinks } from './home-links.ts';

const texts = {
  devices: ['设备总数 / 在线数', 'Devices / online'],
  users: ['用户总数 / 在线数', 'Users / online'],
  income: ['今日柜台收入（元）', "Today's counter income (yuan)"],
  orders: ['今日在线订单', "Today's online orders"],
  orderIncome: ['收入 {0} 元', 'Income {0} yuan'],
  traffic: ['今日业务流量', "Today's business traffic"],
  before: ['上周同日同时', 'Same time last week'],
  sameHours: ['上周同日 {0} 前', 'Last week until {0}'],
  unusable: ['{0} 个账号已付费但未绑定，无法上网', '{0} paid accounts are bound to nothing and cannot go online'],
  online: ['在线率 {0}', '{0} online'],
} as const satisfies Record<string, Text>;

interface TileProps<T> {
  readonly label: Text;
  readonly data: T | null | undefined;
  readonly children: (data: T) => ReactNode;
}

const Tile = <T,>({ label, data, children }: TileProps<T>) =>
  data === undefined ? null : (
    <div className="home-tile">
      <dt className="small">{t(label)}</dt>
      {data === null ? (
        <dd>
          <Unavailable />
        </dd>
      ) : (
        children(data)
      )}
    </div>
  );

const Figure = ({ to, children }: { readonly to: string; readonly children: ReactNode }) => (
  <Link className="home-figure" to={to}>
    {children}
  </Link>
);

const shareText = (part: number, whole: number) => (whole === 0 ? '-' : `${Math.round((1000 * part) / whole) / 10}%`);

interface OfTotalProps {
  readonly total: number;
  readonly online: number;
  readonly links: readonly [total: string, online: string];
}

const OfTotal = ({ total, online, links }: OfTotalProps) => (
  <>
    <dd className="cut muted home-value">
      <Figure to={links[0]}>{numberText(total)}</Figure>
      <span aria-hidden> / </span>
      <Figure to={links[1]}>{numberText(online)}</Figure>
    </dd>
    <dd className="muted small home-note">{t(texts.online, shareText(online, total))}</dd>
    <dd className="home-share" aria-hidden>
      <span style={{ width: `${total === 0 ? 0 : (100 * online) / total}%` }} />
    </dd>
  </>
);

interface BeforeProps {
  readonly label: Text;
  readonly to: string;
  readonly text: string;
  readonly change?: string | undefined;
}

/** The figure of last week, and the difference. */
const Before = ({ label, to, text, change }: BeforeProps) => (
  <dd className="muted small home-note">
    {t(label)}{' '}
    <Link className="act" to={to}>
      {text}
    </Link>{' '}
    {change && <span className="home-change">{change}</span>}
  </dd>
);

const changeOf = (now: string, before: string) => changeText(Number(cents(now)), Number(cents(before)));

const TrafficToday = ({ traffic, at }: { readonly traffic: NonNullable<HomeSummary['traffic']>; readonly at: number }) => {
  const lastOf = ({ up_bytes, down_bytes }: { readonly up_bytes: readonly number[]; readonly down_bytes: readonly number[] }) =>
    (up_bytes.at(-1) ?? 0) + (down_bytes.at(-1) ?? 0);
  const { hours } = traffic;
  return (
    <>
      <dd className="cut muted home-value">
        <Figure to={homeLinks.trafficOf({ start_at: traffic.end_at + 1 - traffic.step, end_at: at })}>{bytesText(lastOf(traffic))}</Figure>
      </dd>
      {hours && (
        <Before
          label={fill(texts.sameHours, clockText(hours.before.end_at + 1).slice(0, 5))}
          to={homeLinks.trafficHours(hours.before)}
          text={bytesText(hours.before.total_bytes)}
          change={changeText(hours.today.total_bytes, hours.before.total_bytes)}
        />
      )}
    </>
  );
};

/** The main figures, at the top of the dashboard. */
export const StatTiles = ({ summary }: { readonly summary: HomeSummary }) => (
  <dl className="card home-tiles">
    <Tile label={texts.devices} data={summary.devices}>
      {({ total, online }) => (
        <OfTotal total={total} online={online} links={[homeLinks.devices(), homeLinks.devices({ online_state: 1 })]} />
      )}
    </Tile>
    <Tile label={texts.users} data={summary.users}>
      {({ total, online, unusable }) => (
        <>
          <OfTotal total={total} online={online} links={[homeLinks.users(), homeLinks.users({ online_state: 1 })]} />
          {unusable > 0 && (
            <dd className="small home-note">
              <Link className="act" to={homeLinks.users({ binding: 'unusable' })}>
                {t(texts.unusable, numberText(unusable))}
              </Link>
            </dd>
          )}
        </>
      )}
    </Tile>
    <Tile label={texts.income} data={summary.income}>
      {({ today, before }) => (
        <>
          <dd className="cut muted home-value">
            <Figure to={homeLinks.income(today)}>{moneyText(today.net_income)}</Figure>
          </dd>
          <Before
            label={texts.before}
            to={homeLinks.income(before)}
            text={moneyText(before.net_income)}
            change={changeOf(today.net_income, before.net_income)}
          />
        </>
      )}
    </Tile>
    <Tile label={texts.orders} data={summary.orders}>
      {({ today, before }) => (
        <>
          <dd className="cut muted home-value">
            <Figure to={homeLinks.orders(today)}>{numberText(today.total)}</Figure>
            <Link className="muted small home-beside" to={homeLinks.orders(today)}>
              {t(texts.orderIncome, moneyText(today.income))}
            </Link>
          </dd>
          <Before
            label={texts.before}
            to={homeLinks.orders(before)}
            text={`${numberText(before.total)} · ${moneyText(before.income)}`}
            change={changeOf(today.income, before.income)}
          />
        </>
      )}
    </Tile>
    <Tile label={texts.traffic} data={summary.traffic}>
      {(traffic) => <TrafficToday traffic={traffic} at={summary.at} />}
    </Tile>
  </dl>
);
