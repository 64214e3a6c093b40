import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { speedText } from '@farlink/contract/kit/units.ts';
import { rejectReason } from '@farlink/contract/user/choices.ts';
import type { ServiceStatus } from '@farlink/contract/user/user-detail.ts';
import { lang, t } from '../../kit/chrome/lang.ts';
import { dateText, moneyText, nothing, relativeText, zonedTimeText } from '../../ui/format.ts';
import { Fact, FactStrip } from '../../ui/native/fact-strip.tsx';
import { Point } from '../../ui/native/tag.tsx';
import { useServiceStatus } from './use-service-status.ts';

const texts = {
  service: ['当前服务', 'Service now'],
  full: ['正常', 'Normal'],
  fullFree: ['额度已用尽，不限制', 'Quota used up, not limited'],
  slow: ['已限速 ↑{0} ↓{1}', 'Slowed to ↑{0} ↓{1}'],
  exhausted: ['已停止：额度用尽', 'Stopped: quota used up'],
  noPackage: ['无可用套餐', 'No package to use'],
  barred: ['账号状态不允许上网', 'Blocked by the account status'],
  online: ['在线状态', 'Online state'],
  offline: ['离线', 'Offline'],
  devices: ['{0} 个终端', '{0} device(s)'],
  balance: ['账户余额', 'Balance'],
  yuan: ['{0} 元', '{0} yuan'],
  expiry: ['账号到期', 'Account ends'],
  shutdown: ['{0} 停机', 'Shutdown on {0}'],
  daysLeft: ['剩 {0} 天', '{0} day(s) left'],
  daysOver: ['已过期 {0} 天', '{0} day(s) ago'],
  rejection: ['最近被拒', 'Last rejection'],
  none: ['无', 'None'],
  waiting: ['等待网关', 'Waiting for the gateway'],
  lastUse: ['最近使用', 'Last used'],
  never: ['从未使用', 'Never'],
} as const satisfies Record<string, Text>;

/** Service counts as active only after a gateway has reported the account. */
const serviceOf = ({ service, last_use }: ServiceStatus, status: unknown): readonly [color: string, text: string] => {
  if (status !== 'normal' && status !== 'shutdown') return ['default', t(texts.barred)];
  if (service.mode !== 'stop' && last_use === null) return ['default', t(texts.waiting)];
  if (service.mode === 'full') return service.holding === null ? ['orange', t(texts.fullFree)] : ['green', t(texts.full)];
  if (service.mode === 'slow') return ['orange', t(texts.slow, t(speedText(service.limit_up)), t(speedText(service.limit_down)))];
  return ['red', t(service.reason === 'exhausted' ? texts.exhausted : texts.noPackage)];
};

const day = 86_400_000;
const daysText = (expireAt: number) => {
  const days = Math.trunc((expireAt * 1000 - Date.now()) / day);
  return expireAt * 1000 > Date.now() ? t(texts.daysLeft, days) : t(texts.daysOver, -days);
};

const reasonText = (reason: string) => {
  const known = rejectReason.find((each) => each.id === reason);
  return known ? t(known.label) : reason;
};

/** Summary of an account: service, online state, balance, expiry, last refusal, last use. */
export const UserServiceStatus = ({ id, user }: { readonly id: number; readonly user: AnyRow }) => {
  const { data } = useServiceStatus(id);
  const [color, service] = data ? serviceOf(data, user.status) : ['default', nothing];
  const rejection = data?.last_rejection;
  const lastUse = data?.last_use;
  const online = data?.online;
  return (
    <FactStrip count={6}>
      <Fact label={t(texts.service)}>
        <Point color={color}>{service}</Point>
      </Fact>
      <Fact
        label={t(texts.online)}
        more={online?.since ? [online.ip, relativeText(online.since, lang)].filter(Boolean).join(' · ') : undefined}
        tip={online?.since ? zonedTimeText(online.since) : undefined}
      >
        <Point color={user.online_state === 1 ? 'green' : 'default'}>
          {user.online_state === 1 ? t(texts.devices, online?.count ?? 1) : t(texts.offline)}
        </Point>
      </Fact>
      <Fact label={t(texts.balance)}>{t(texts.yuan, moneyText(user.balance))}</Fact>
      <Fact
        label={t(texts.expiry)}
        more={typeof user.shutdown_at === 'number' ? t(texts.shutdown, dateText(user.shutdown_at)) : daysText(Number(user.expire_at))}
        tip={zonedTimeText(user.expire_at)}
      >
        {dateText(user.expire_at)}
      </Fact>
      <Fact
        label={t(texts.rejection)}
        more={rejection ? relativeText(rejection.create_at, lang) : undefined}
        tip={rejection ? zonedTimeText(rejection.create_at) : undefined}
      >
        {rejection ? <Point color="orange">{reasonText(rejection.reason)}</Point> : data ? t(texts.none) : nothing}
      </Fact>
      <Fact label={t(texts.lastUse)} more={lastUse?.device_name ?? undefined} tip={lastUse ? zonedTimeText(lastUse.at) : undefined}>
        {lastUse ? relativeText(lastUse.at, lang) : data ? t(texts.never) : nothing}
      </Fact>
    </FactStrip>
  );
};
