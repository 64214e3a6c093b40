import type { ConfigNode, ConfigPage } from '@farlink/contract/config/config.ts';
import { shadowState, waitReason } from '@farlink/contract/device/shadow.ts';
import { lang, t } from '../../../kit/chrome/lang.ts';
import { relativeText, timeText } from '../../../ui/format.ts';
import { Tag } from '../../../ui/native/tag.tsx';

export const stateLabel = (state: ConfigNode['state']) => shadowState.find(({ id }) => id === state);

/** Shadow state of a page, the wait reason, and its time. */
export const StateTag = ({ data }: { readonly data: Pick<ConfigPage, 'state' | 'waits' | 'at' | 'update_at'> }) => {
  const state = stateLabel(data.state);
  const wait = waitReason.find(({ id }) => id === data.waits);
  const at = data.at ?? data.update_at;
  return (
    <span className="inline config-state" role="status">
      <Tag color={state?.color}>{state ? t(state.label) : data.state}</Tag>
      {wait && <span className="muted">{t(wait.label)}</span>}
      {!wait && at !== null && (
        <span className="muted" data-tip={timeText(at)}>
          {relativeText(at, lang)}
        </span>
      )}
    </span>
  );
};
