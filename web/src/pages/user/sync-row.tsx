import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { headOf } from '@farlink/contract/menu.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { noGateway, syncState } from '@farlink/contract/user/choices.ts';
import type { AccountSync, GatewaySync } from '@farlink/contract/user/user-detail.ts';
import { Link } from 'react-router';
import { lang, t } from '../../kit/chrome/lang.ts';
import { useMe } from '../../kit/net/session.ts';
import { relativeText, zonedTimeText } from '../../ui/format.ts';
import { Point } from '../../ui/native/tag.tsx';
import { FixButtons } from './fix-buttons.tsx';
import { ServiceRow } from './service-row.tsx';

const texts = {
  title: ['账号同步', 'Account on gateways'],
  confirmed: ['{0}确认', 'confirmed {0}'],
  since: ['{0}变更', 'changed {0}'],
  leaving: ['已迁出，待网关删除', 'Moved away, not yet removed'],
  count: ['{0} {1} 台', '{0}: {1}'],
  more: ['另有 {0} 台', 'and {0} more'],
} as const satisfies Record<string, Text>;

const device = headOf('deviceDetail');
const stateOf = (id: GatewaySync['state']) => syncState.find((each) => each.id === id);

/** The name links to the device, if the session may open it. */
const DeviceName = ({ id, name }: { readonly id: number; readonly name: string }) =>
  mayOpen(device, useMe()) ? (
    <Link className="act clip" data-tip="" to={`/device/detail/${id}`}>
      {name}
    </Link>
  ) : (
    <span className="clip" data-tip="">
      {name}
    </span>
  );

const Gateway = ({ gateway }: { readonly gateway: GatewaySync }) => {
  const { state, since, refusal, is_leaving } = gateway;
  const found = stateOf(state);
  return (
    <li className="service-line">
      <Point color={found?.color}>{t(is_leaving ? texts.leaving : (found?.label ?? [state, state]))}</Point>
      <DeviceName id={gateway.device_id} name={gateway.device_name} />
      {refusal && <span className="service-refusal">{refusal}</span>}
      {since !== null && (
        <span className="muted" data-tip={zonedTimeText(since)}>
          {t(state === 'synced' ? texts.confirmed : texts.since, relativeText(since, lang))}
        </span>
      )}
    </li>
  );
};

/** Gateways that are not synced are listed; the others are counted. */
const Gateways = ({ counts, gateways }: AccountSync) => {
  const all = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const shown = all === 1 ? gateways : gateways.filter(({ state }) => state !== 'synced').slice(0, 5);
  const open = all - counts.synced;
  return (
    <ul className="service-lines">
      {all > 1 && counts.synced > 0 && (
        <li className="service-line">
          <Point color="green">{t(texts.count, stateOf('synced')?.label ?? '', counts.synced)}</Point>
        </li>
      )}
      {shown.map((gateway) => (
        <Gateway key={gateway.device_id} gateway={gateway} />
      ))}
      {all > 1 && open > shown.length && <li className="muted">{t(texts.more, open - shown.length)}</li>}
    </ul>
  );
};

interface SyncRowProps {
  readonly sync: AccountSync | undefined;
  readonly user: AnyRow;
  readonly act: (key: string) => void;
}

/** Whether the gateways have the current data of the account, or why no gateway has it. */
export const SyncRow = ({ sync, user, act }: SyncRowProps) => {
  const none = noGateway.find(({ id }) => id === sync?.none);
  const isUnbound = none?.id === 'unbound' || none?.id === 'empty_group';
  return (
    <ServiceRow label={t(texts.title)} isKnown={sync !== undefined}>
      {sync && !none && <Gateways {...sync} />}
      {none && <Point color={none.color}>{t(none.label)}</Point>}
      {none && !isUnbound && typeof user.device_id === 'number' && <DeviceName id={user.device_id} name={String(user.bind_name ?? '')} />}
      {isUnbound && <FixButtons fixes={['device']} user={user} act={act} />}
    </ServiceRow>
  );
};
