import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { bytesText, speedText } from '@farlink/contract/kit/units.ts';
import { rejectReason } from '@farlink/contract/user/choices.ts';
import type { PackageHolding, ServiceStatus } from '@farlink/contract/user/user-detail.ts';
import { lang, t } from '../../kit/chrome/lang.ts';
import { ReadFailed } from '../../kit/chrome/read-failed.tsx';
import { tips } from '../../ui/browser/tip.ts';
import { dateText, numberText, relativeText, timeText, zonedTimeText } from '../../ui/format.ts';
import { Point } from '../../ui/native/tag.tsx';
import { FixButtons } from './fix-buttons.tsx';
import { ServiceRow } from './service-row.tsx';
import { SyncRow } from './sync-row.tsx';
import { useServiceStatus } from './use-service-status.ts';

const texts = {
  title: ['服务状态', 'Service status'],
  service: ['当前服务', 'Service now'],
  full: ['正常', 'Normal'],
  ready: ['可以登录，首次使用后开始计量', 'Ready. Metering starts with the first use.'],
  waiting: ['等待网关', 'Waiting for the gateway'],
  fullFree: ['额度已用尽，不限制', 'Quota used up, not limited'],
  slow: ['策略限速 ↑{0} ↓{1}', 'Speed limit by policy ↑{0} ↓{1}'],
  usedUp: ['套餐额度已用尽', 'quota used up'],
  stopped: ['已停止：{0}', 'Stopped: {0}'],
  loginBlocked: ['不能登录：{0}', 'Cannot log in: {0}'],
  overrun: ['累计超出套餐 {0}', '{0} beyond the packages so far'],
  inUse: ['使用中的套餐', 'Package in use'],
  none: ['无', 'None'],
  left: ['剩 {0}', '{0} left'],
  until: ['至 {0}', 'until {0}'],
  unused: ['首次使用后开始', 'starts with the first use'],
  next: ['接下来', 'Next'],
  after: ['当前套餐用尽后使用', 'when the current one is used up'],
  afterBy: ['当前套餐用尽后使用，最迟 {0}', 'when the current one is used up, {0} at the latest'],
  starts: ['{0} 开始', 'starts {0}'],
  reset: ['额度于 {0} 重置', 'Quota resets {0}'],
  rejection: ['最近被拒', 'Last rejection'],
  solved: ['原因已消除', 'no longer applies'],
} as const satisfies Record<string, Text>;

const reasonText = (reason: string): string => {
  const known = rejectReason.find((each) => each.id === reason);
  return known ? t(known.label) : reason;
};

interface ServiceNow {
  readonly color: string;
  readonly text: string;
  readonly why?: string;
}

/** Gateways that ask RADIUS get no accounts, so they are not waited for. */
const isOnGateway = ({ sync, last_use }: ServiceStatus) => last_use !== null || sync.counts.synced > 0 || sync.none === 'aaa';

const serviceOf = (status: ServiceStatus): ServiceNow => {
  const { service, blocked, last_use } = status;
  if (blocked) {
    const isStopped = blocked.reason === 'shutdown' || blocked.reason === 'no_package';
    return { color: 'red', text: t(isStopped ? texts.stopped : texts.loginBlocked, reasonText(blocked.reason)) };
  }
  if (service.mode === 'slow')
    return { color: 'orange', text: t(texts.slow, t(speedText(service.limit_up)), t(speedText(service.limit_down))), why: t(texts.usedUp) };
  if (!isOnGateway(status)) return { color: 'default', text: t(texts.waiting) };
  if (service.mode === 'full' && service.holding === null) return { color: 'orange', text: t(texts.fullFree) };
  return { color: 'green', text: t(last_use === null ? texts.ready : texts.full) };
};

const leftOf = ({ cycle, flow, time, status, ends_at }: PackageHolding): string => {
  const quota = cycle?.unit === 'bytes' ? cycle : flow;
  const details = [
    quota ? t(texts.left, bytesText(quota.left)) : '',
    status === 'to_be_used' ? t(texts.unused) : ends_at !== null && (time || !quota) ? t(texts.until, dateText(ends_at)) : '',
  ];
  return details.filter(Boolean).join(' · ');
};

const nextText = ({ at, is_waiting }: NonNullable<ServiceStatus['next']>): string => {
  if (is_waiting) return t(texts.starts, timeText(at));
  return at === null ? t(texts.after) : t(texts.afterBy, dateText(at));
};

interface PanelProps {
  readonly id: number;
  readonly user: AnyRow;
  readonly act: (key: string) => void;
}

const ServiceNowRow = ({ data, user, act }: { readonly data: ServiceStatus | undefined } & Omit<PanelProps, 'id'>) => {
  const now = data && serviceOf(data);
  const exact = data && `${numberText(data.overrun_bytes)} B`;
  return (
    <ServiceRow label={t(texts.service)} isKnown={now !== undefined}>
      <Point color={now?.color}>
        <strong>{now?.text}</strong>
      </Point>
      {now?.why && <span className="muted">{now.why}</span>}
      {data && data.overrun_bytes > 0 && (
        <span className="muted" data-tip={exact}>
          {t(texts.overrun, bytesText(data.overrun_bytes))}
        </span>
      )}
      {data && <FixButtons fixes={data.blocked?.fixes ?? data.refills} user={user} act={act} />}
    </ServiceRow>
  );
};

const PackageRows = ({ data }: { readonly data: ServiceStatus | undefined }) => {
  const current = data?.holdings.find(({ turn }) => turn === 1);
  const next = data?.next;
  return (
    <>
      <ServiceRow label={t(texts.inUse)} isKnown={data !== undefined}>
        {current ? <span>{current.package_name}</span> : <span className="muted">{t(texts.none)}</span>}
        {current && <span className="muted">{leftOf(current)}</span>}
      </ServiceRow>
      <ServiceRow label={t(texts.next)} isKnown={data !== undefined}>
        {next && <span>{next.package_name}</span>}
        {next && <span className="muted">{nextText(next)}</span>}
        {typeof data?.reset_at === 'number' && <span className="muted">{t(texts.reset, timeText(data.reset_at))}</span>}
        {!next && typeof data?.reset_at !== 'number' && <span className="muted">{t(texts.none)}</span>}
      </ServiceRow>
    </>
  );
};

const RejectionRow = ({ data, user, act }: { readonly data: ServiceStatus | undefined } & Omit<PanelProps, 'id'>) => {
  const rejection = data?.last_rejection;
  return (
    <ServiceRow label={t(texts.rejection)} isKnown={data !== undefined}>
      {rejection ? (
        <>
          <Point color={rejection.is_solved ? 'default' : 'orange'}>{reasonText(rejection.reason)}</Point>
          {rejection.device_name && <span className="clip">{rejection.device_name}</span>}
          <span className="muted" data-tip={zonedTimeText(rejection.create_at)}>
            {relativeText(rejection.create_at, lang)}
          </span>
          {rejection.is_solved && <span className="muted">{t(texts.solved)}</span>}
          <FixButtons fixes={rejection.fixes} user={user} act={act} />
        </>
      ) : (
        <span className="muted">{t(texts.none)}</span>
      )}
    </ServiceRow>
  );
};

/** Causes of the service status of the account, each with the action that changes it. */
export const UserServicePanel = ({ id, user, act }: PanelProps) => {
  const { data, isError, refetch } = useServiceStatus(id);
  return (
    <section className="card service-panel" aria-label={t(texts.title)} {...tips}>
      {isError && !data && <ReadFailed retry={refetch} />}
      <dl>
        <ServiceNowRow data={data} user={user} act={act} />
        <PackageRows data={data} />
        <SyncRow sync={data?.sync} user={user} act={act} />
        <RejectionRow data={data} user={user} act={act} />
      </dl>
    </section>
  );
};
