import { feedbackList } from '@farlink/contract/feedback/feedback.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { lazy, Suspense, useState } from 'react';
import type { Run } from '../../kit/actions/use-page-actions.tsx';
import { t } from '../../kit/chrome/lang.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { FeedbackPanel } from './feedback-panel.tsx';

const PictureDialog = lazy(() => import('../../kit/form/picture-dialog.tsx'));

const pathsOf = ({ attach }: AnyRow) => (Array.isArray(attach) ? attach.map(String) : []);

const FeedbackList = () => {
  const [opened, setOpened] = useState<number>();
  const [pictures, setPictures] = useState<readonly string[]>();
  const run: Run = { info: (row) => setOpened(row.id), preview: (row) => setPictures(pathsOf(row)) };
  return (
    <>
      <ResourcePage page={feedbackList} run={run} />
      {opened !== undefined && <FeedbackPanel key={opened} id={opened} onClose={() => setOpened(undefined)} />}
      {pictures && (
        <Suspense>
          <PictureDialog paths={pictures} label={t(feedbackList.resource.fields.attach.label)} onClose={() => setPictures(undefined)} />
        </Suspense>
      )}
    </>
  );
};
export default FeedbackList;
