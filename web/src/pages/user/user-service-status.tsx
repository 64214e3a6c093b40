import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { spanText } from '@farlink/contract/kit/units.ts';
import { lang, t } from '../../kit/chrome/lang.ts';
import { dateText, moneyText, nothing, relativeText, zonedTimeText } from '../../ui/format.ts';
import { Fact, FactStrip } from '../../ui/native/fact-strip.tsx';
import { Point } from '../../ui/native/tag.tsx';
import { useServiceStatus } from './use-service-status.ts';

const texts = {
  online: ['在线状态', 'Online state'],
  offline: ['离线', 'Offline'],
  devices: ['{0} 个终端', 'Terminals: {0}'],
  balance: ['账户余额', 'Balance'],
  yuan: ['{0} 元', '{0} yuan'],
  expiry: ['账号到期', 'Account ends'],
  shutdown: ['{0} 停机', 'Shutdown on {0}'],
  left: ['剩 {0}', '{0} left'],
  over: ['已过期 {0}', '{0} ago'],
  lastUse: ['最近使用', 'Last used'],
  never: ['从未使用', 'Never'],
} as const satisfies Record<string, Text>;

const day = 86_400;
/** In days; on the last and the first day in hours. */
const leftText = (expireAt: number) => {
  const left = expireAt - Date.now() / 1000;
  const span = Math.abs(left);
  return t(left > 0 ? texts.left : texts.over, spanText(span < day ? span : span - (span % day)));
};

/** Summary of an account: online state, balance, expiry, last use. */
export const UserServiceStatus = ({ id, user }: { readonly id: number; readonly user: AnyRow }) => {
  const { data } = useServiceStatus(id);
  const lastUse = data?.last_use;
  const online = data?.online;
  const hasMoney = user.account_type !== 'job';
  return (
    <FactStrip count={hasMoney ? 4 : 3}>
      <Fact
        label={t(texts.online)}
        more={online?.since ? [online.ip, relativeText(online.since, lang)].filter(Boolean).join(' · ') : undefined}
        tip={online?.since ? zonedTimeText(online.since) : undefined}
      >
        <Point color={user.online_state === 1 ? 'green' : 'default'}>
          {user.online_state === 1 ? t(texts.devices, online?.count ?? 1) : t(texts.offline)}
        </Point>
      </Fact>
      {hasMoney && <Fact label={t(texts.balance)}>{t(texts.yuan, moneyText(user.balance))}</Fact>}
      <Fact
        label={t(texts.expiry)}
        more={typeof user.shutdown_at === 'number' ? t(texts.shutdown, dateText(user.shutdown_at)) : leftText(Number(user.expire_at))}
        tip={zonedTimeText(user.expire_at)}
      >
        {dateText(user.expire_at)}
      </Fact>
      <Fact label={t(texts.lastUse)} more={lastUse?.device_name ?? undefined} tip={lastUse ? zonedTimeText(lastUse.at) : undefined}>
        {lastUse ? relativeText(lastUse.at, lang) : data ? t(texts.never) : nothing}
      </Fact>
    </FactStrip>
  );
};
