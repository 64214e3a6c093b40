import type { TrafficDay } from '@farlink/contract/device/device-detail.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import { Link } from 'react-router';
import { t } from '../../../kit/chrome/lang.ts';
import { ReadFailed } from '../../../kit/chrome/read-failed.tsx';
import { tips } from '../../../ui/browser/tip.ts';
import { numberText } from '../../../ui/format.ts';
import { Tag } from '../../../ui/native/tag.tsx';
import { useTrafficCheck } from './use-device.ts';

const texts = {
  title: ['流量核对', 'Traffic check'],
  hint: ['链路 = 用户 + 网关自身，用户 = 已计费 + 超出套餐', 'Links = users + gateway, users = charged + overrun'],
  noOwn: [
    '该网关不上报自身流量，差异中可能包含管理流量',
    'This gateway does not report its own traffic. The difference can include management traffic.',
  ],
  day: ['日期', 'Day'],
  link: ['链路', 'Links'],
  user: ['用户', 'Users'],
  own: ['网关自身', 'Gateway'],
  charged: ['已计费', 'Charged'],
  overrun: ['超出套餐', 'Overrun'],
  unattributed: ['未归属', 'Unattributed'],
  uncharged: ['未计费', 'Not charged'],
  result: ['结果', 'Result'],
  odd: ['有差异', 'Difference'],
  fine: ['一致', 'OK'],
  open: ['统计中', 'In progress'],
  allowed: ['允许 {0}', '{0} allowed'],
  exact: ['{0} 字节', '{0} bytes'],
  none: ['最近7天没有流量', 'No traffic in the last 7 days'],
} as const satisfies Record<string, Text>;

const columns = ['link', 'user', 'own', 'charged', 'overrun', 'unattributed', 'uncharged'] as const;

const Bytes = ({ value, isOdd = false }: { readonly value: number; readonly isOdd?: boolean }) => (
  <td className={isOdd ? 'num odd' : 'num'} data-tip={t(texts.exact, numberText(value))}>
    {bytesText(value)}
  </td>
);

const Result = ({ day }: { readonly day: TrafficDay }) => {
  const tip = t(texts.allowed, bytesText(day.allowed));
  if (!day.is_final) return <Tag>{t(texts.open)}</Tag>;
  if (!day.is_odd) return <Tag color="green">{t(texts.fine)}</Tag>;
  if (day.noted_at === null)
    return (
      <span data-tip={tip}>
        <Tag color="red">{t(texts.odd)}</Tag>
      </span>
    );
  return (
    <Link to={{ search: '?tab=history&kind=traffic' }} replace preventScrollReset data-tip={tip}>
      <Tag color="red">{t(texts.odd)}</Tag>
    </Link>
  );
};

const Row = ({ day }: { readonly day: TrafficDay }) => {
  const isOdd = (bytes: number) => day.is_final && Math.abs(bytes) > day.allowed;
  return (
    <tr>
      <th scope="row">{day.day}</th>
      <td className="traffic-result">
        <Result day={day} />
      </td>
      <Bytes value={day.link_bytes} />
      <Bytes value={day.user_bytes} />
      <Bytes value={day.own_bytes} />
      <Bytes value={day.charged_bytes} />
      <Bytes value={day.overrun_bytes} />
      <Bytes value={day.unattributed} isOdd={isOdd(day.unattributed)} />
      <Bytes value={day.uncharged} isOdd={isOdd(day.uncharged)} />
    </tr>
  );
};

/** Traffic of the last days, compared between links, users and charges. */
export const TrafficCard = ({ id }: { readonly id: number }) => {
  const { data, isError, refetch } = useTrafficCheck(id);
  return (
    <section className="card device-section" aria-label={t(texts.title)} {...tips}>
      <div className="row device-section-head">
        <h3>{t(texts.title)}</h3>
        <span className="muted clip" data-tip="">
          {t(texts.hint)}
        </span>
      </div>
      {isError && !data && <ReadFailed retry={refetch} />}
      {data && data.days.length === 0 && <p className="muted">{t(texts.none)}</p>}
      {data && data.days.length > 0 && (
        <table className="board">
          <thead>
            <tr>
              <th scope="col">{t(texts.day)}</th>
              <th scope="col">{t(texts.result)}</th>
              {columns.map((name) => (
                <th key={name} scope="col" className="num">
                  {t(texts[name])}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.days.map((day, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a day of two owners has two rows
              <Row key={`${day.day} ${i}`} day={day} />
            ))}
          </tbody>
        </table>
      )}
      {data && data.days.length > 0 && !data.declares_own && <p className="muted">{t(texts.noOwn)}</p>}
    </section>
  );
};
