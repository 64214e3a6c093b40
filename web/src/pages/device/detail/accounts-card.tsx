import { type DeviceAccounts, deviceDetail } from '@farlink/contract/device/device-detail.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { headOf } from '@farlink/contract/menu.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { noGateway } from '@farlink/contract/user/choices.ts';
import { Link } from 'react-router';
import { offersOf } from '../../../kit/actions/action-state.ts';
import { lang, t } from '../../../kit/chrome/lang.ts';
import { ReadFailed } from '../../../kit/chrome/read-failed.tsx';
import { useMe } from '../../../kit/net/session.ts';
import { tips } from '../../../ui/browser/tip.ts';
import { numberText, relativeText, zonedTimeText } from '../../../ui/format.ts';
import { ActButton } from '../../../ui/native/act-button.tsx';
import { Point } from '../../../ui/native/tag.tsx';
import { useAccounts } from './use-device.ts';

const texts = {
  title: ['网关上的用户账号', 'Accounts on the gateway'],
  state: ['状态', 'State'],
  synced: ['已全部同步', 'All synced'],
  pending: ['{0} 个待网关确认', '{0} not confirmed by the gateway'],
  sending: ['正在重新下发', 'Being sent again'],
  waiting: ['{0} 个待同步，网关离线', '{0} waiting, the gateway is offline'],
  since: ['{0}变更', 'changed {0}'],
  count: ['账号数', 'Accounts'],
  revision: ['账号版本', 'Account revision'],
  confirmedTo: ['已确认到 {0}', 'confirmed up to {0}'],
  confirmed: ['最近确认', 'Last confirmed'],
  never: ['从未', 'Never'],
  refused: ['被拒账号', 'Refused'],
  more: ['另有 {0} 个', 'and {0} more'],
} as const satisfies Record<string, Text>;

const stateOf = ({ none, pending, rev, acked }: DeviceAccounts, isHere: boolean): readonly [color: string, text: string] => {
  const found = noGateway.find(({ id }) => id === none);
  if (found) return [found.color, t(found.label)];
  if (pending > 0) return isHere ? ['processing', t(texts.pending, numberText(pending))] : ['gold', t(texts.waiting, numberText(pending))];
  return rev > acked ? ['processing', t(texts.sending)] : ['green', t(texts.synced)];
};

const user = headOf('userDetail');

const Refusals = ({ refused, refusals }: Pick<DeviceAccounts, 'refused' | 'refusals'>) => {
  const isOpen = mayOpen(user, useMe());
  return (
    <ul>
      {refusals.map(({ user_id, account, text }) => (
        <li key={user_id} className="flow refused-account">
          {isOpen ? (
            <Link className="act" to={`/user/detail/${user_id}`}>
              {account}
            </Link>
          ) : (
            <span>{account}</span>
          )}
          <span className="muted">{text}</span>
        </li>
      ))}
      {refused > refusals.length && <li className="muted">{t(texts.more, refused - refusals.length)}</li>}
    </ul>
  );
};

const Facts = ({ data, isHere }: { readonly data: DeviceAccounts; readonly isHere: boolean }) => {
  const [color, state] = stateOf(data, isHere);
  return (
    <dl className="card-facts">
      <div>
        <dt>{t(texts.state)}</dt>
        <dd>
          <Point color={color}>{state}</Point>
          {data.pending_since !== null && (
            <span className="muted" data-tip={zonedTimeText(data.pending_since)}>
              {t(texts.since, relativeText(data.pending_since, lang))}
            </span>
          )}
        </dd>
      </div>
      <div>
        <dt>{t(texts.count)}</dt>
        <dd>{numberText(data.count)}</dd>
      </div>
      <div>
        <dt>{t(texts.revision)}</dt>
        <dd>
          {numberText(data.rev)}
          {data.acked < data.rev && <span className="muted">{t(texts.confirmedTo, numberText(data.acked))}</span>}
        </dd>
      </div>
      <div>
        <dt>{t(texts.confirmed)}</dt>
        <dd data-tip={data.acked_at === null ? undefined : zonedTimeText(data.acked_at)}>
          {data.acked_at === null ? t(texts.never) : relativeText(data.acked_at, lang)}
        </dd>
      </div>
      {data.refused > 0 && (
        <div>
          <dt>{t(texts.refused)}</dt>
          <dd>
            <Point color="red">{numberText(data.refused)}</Point>
            <Refusals refused={data.refused} refusals={data.refusals} />
          </dd>
        </div>
      )}
    </dl>
  );
};

interface AccountsCardProps {
  readonly record: AnyRow;
  readonly act: (key: string) => void;
}

/** Whether the gateway has confirmed the accounts of its subscribers. */
export const AccountsCard = ({ record, act }: AccountsCardProps) => {
  const { data, isError, refetch } = useAccounts(record.id);
  const resend = offersOf(deviceDetail, 'record', useMe(), record).find(({ key }) => key === 'resendAccounts');
  return (
    <section className="card device-section" aria-label={t(texts.title)} {...tips}>
      <div className="row device-section-head">
        <h3>{t(texts.title)}</h3>
        <span className="spring" />
        {resend && data?.none === null && (
          <ActButton label={t(resend.action.label)} refusal={resend.refusal && t(resend.refusal)} onClick={() => act(resend.key)} />
        )}
      </div>
      {isError && !data && <ReadFailed retry={refetch} />}
      {data && <Facts data={data} isHere={record.online_state === 1} />}
    </section>
  );
};
