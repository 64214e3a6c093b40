import type { Text } from '@farlink/contract/kit/text.ts';
import { Button } from '../../ui/native/button.tsx';
import { EmptyState } from '../../ui/native/empty-state.tsx';
import { t } from './lang.ts';

const texts = {
  failed: ['数据加载失败', 'The data could not be loaded'],
  hint: ['请检查网络后重试', 'Check the connection and try again'],
  retry: ['重试', 'Retry'],
} as const satisfies Record<string, Text>;

interface UnreadProps {
  readonly retry: () => unknown;
}

/** Shown in place of a section that failed to load, so that it does not look empty. */
export const ReadFailed = ({ retry }: UnreadProps) => (
  <p className="muted" role="alert">
    {t(texts.failed)}{' '}
    <button type="button" className="act" onClick={() => void retry()}>
      {t(texts.retry)}
    </button>
  </p>
);

/** The same for a whole page or dialog. */
export const Unread = ({ retry }: UnreadProps) => (
  <EmptyState title={t(texts.failed)} hint={t(texts.hint)}>
    <Button onClick={() => void retry()}>{t(texts.retry)}</Button>
  </EmptyState>
);
