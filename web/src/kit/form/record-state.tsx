import { errors } from '@farlink/contract/errors.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { Button } from '../../ui/native/button.tsx';
import { EmptyState } from '../../ui/native/empty-state.tsx';
import { t } from '../chrome/lang.ts';
import { Unread } from '../chrome/read-failed.tsx';
import { useBack } from '../chrome/route.ts';
import type { Loaded } from './use-record.ts';

const texts = {
  loading: ['加载中…', 'Loading…'],
  missingHint: ['该数据可能已被删除', 'It may have been deleted'],
  back: ['返回', 'Back'],
} as const satisfies Record<string, Text>;

interface RecordStateProps {
  readonly loaded: Pick<Loaded, 'isMissing' | 'failed' | 'reload'>;
  readonly back: string;
}

/** Placeholder of a record that is loading or missing. */
export const RecordState = ({ loaded, back }: RecordStateProps) => {
  const goBack = useBack(back);
  if (loaded.isMissing) {
    return (
      <EmptyState title={t(errors.not_found.text)} hint={t(texts.missingHint)}>
        <Button onClick={goBack}>{t(texts.back)}</Button>
      </EmptyState>
    );
  }
  if (loaded.failed) return <Unread retry={loaded.reload} />;
  return (
    <p className="record-wait muted" role="status">
      {t(texts.loading)}
    </p>
  );
};
