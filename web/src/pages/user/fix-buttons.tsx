import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { type FixAction, userDetail } from '@farlink/contract/user/user-detail.ts';
import { offersOf } from '../../kit/actions/action-state.ts';
import { t } from '../../kit/chrome/lang.ts';
import { useMe } from '../../kit/net/session.ts';
import { ActButton } from '../../ui/native/act-button.tsx';

/** More than two buttons distract. */
const maxButtons = 2;

interface FixButtonsProps {
  readonly fixes: readonly FixAction[];
  readonly user: AnyRow;
  readonly act: (key: string) => void;
}

/** Actions that remove a cause, limited to those that this session may use for this account. */
export const FixButtons = ({ fixes, user, act }: FixButtonsProps) => {
  const offers = offersOf(userDetail, 'record', useMe(), user).filter(({ refusal }) => refusal === undefined);
  const usable = fixes.flatMap((fix) => offers.find(({ key }) => key === fix) ?? []).slice(0, maxButtons);
  return usable.map(({ key, action }) => <ActButton key={key} label={t(action.label)} onClick={() => act(key)} />);
};
