import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../kit/lang.ts';
import { Button } from '../../ui/button.ts';
import { StateBox } from '../../ui/state-box.tsx';

const words = {
  failed: ['加载失败', 'It could not be loaded'],
  hint: ['请检查网络后重试', 'Check the connection and try again'],
  retry: ['重试', 'Retry'],
} as const satisfies Record<string, Text>;

/** Stands where something would that could not be read: nothing is said of what it holds. */
export const Unread = ({ onRetry }: { readonly onRetry: () => void }) => (
  <StateBox title={t(words.failed)} hint={t(words.hint)}>
    <Button onClick={onRetry}>{t(words.retry)}</Button>
  </StateBox>
);
