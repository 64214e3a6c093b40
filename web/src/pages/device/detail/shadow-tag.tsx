import { type Shadow, shadowState, waitReason } from '@farlink/contract/device/shadow.ts';
import { t } from '../../../kit/chrome/lang.ts';
import { timeText } from '../../../ui/format.ts';
import { Tag } from '../../../ui/native/tag.tsx';

/** Shadow state of a setting, and the wait reason. */
export const ShadowTag = ({ shadow }: { readonly shadow: Shadow }) => {
  const state = shadowState.find((s) => s.id === shadow.state);
  const wait = waitReason.find((w) => w.id === shadow.waits);
  const why = wait ? t(wait.label) : shadow.err;
  return (
    <span className="shadow-tag" data-tip={shadow.update_at === null ? undefined : timeText(shadow.update_at)}>
      <Tag color={state?.color}>{state ? t(state.label) : shadow.state}</Tag>
      {why && <span className="muted">{why}</span>}
    </span>
  );
};
