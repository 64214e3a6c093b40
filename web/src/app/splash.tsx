import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../kit/chrome/lang.ts';

const loading: Text = ['加载中', 'Loading'];

/** The loading screen of index.html, shown again while the first page loads. It has no brand, because it comes before the brand is known. */
export const Splash = () => (
  <div role="status" aria-label={t(loading)}>
    <i />
  </div>
);
