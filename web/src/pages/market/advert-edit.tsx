import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../kit/chrome/lang.ts';
import { useRouteId } from '../../kit/chrome/route.ts';
import { RecordState } from '../../kit/form/record-state.tsx';
import { useInitial } from '../../kit/form/use-initial.ts';
import { Button } from '../../ui/native/button.tsx';
import { EmptyState } from '../../ui/native/empty-state.tsx';
import { PortalEditor } from './editor/portal-editor.tsx';
import { documentOf, usePortal } from './editor/use-portal.ts';
import '../../ui/styles/form.css';
import '../../ui/styles/grant.css';
import './editor/editor.css';

const texts = {
  unread: ['未获取到门户数据，请刷新重试', 'Portal data not obtained: refresh and retry'],
  retry: ['重试', 'Retry'],
} as const satisfies Record<string, Text>;

/** Page of the portal editor. */
const AdvertEdit = () => {
  const loaded = usePortal(useRouteId());
  const { first } = useInitial(loaded.portal);
  if (!loaded.portal || !first) return <RecordState loaded={loaded} back="/market/advert-temp" />;
  const document = documentOf(first.document);
  if (!document)
    return (
      <EmptyState title={t(texts.unread)}>
        <Button onClick={loaded.reload}>{t(texts.retry)}</Button>
      </EmptyState>
    );
  const draft = first.draft ? documentOf(first.draft.document) : undefined;
  return <PortalEditor key={first.id} portal={loaded.portal} first={{ portal: first, document, draft }} />;
};
export default AdvertEdit;
