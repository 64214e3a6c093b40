import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../kit/chrome/lang.ts';
import { usePending } from '../kit/net/call.ts';

const loading: Text = ['加载中', 'Loading'];

/** spec §4: shows while blocking requests are pending, and closes when all are done. */
export const RequestOverlay = () =>
  usePending() > 0 ? (
    <div className="overlay" role="status" aria-label={t(loading)}>
      <span className="spinner" />
    </div>
  ) : null;
