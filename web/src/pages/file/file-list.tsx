import { fileList } from '@farlink/contract/file/file.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Run } from '../../kit/actions/use-page-actions.tsx';
import { t } from '../../kit/chrome/lang.ts';
import { notify } from '../../kit/chrome/notify.tsx';
import { Dialog } from '../../kit/form/dialog.tsx';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const UploadForm = lazy(async () => ({ default: (await import('./upload-form.tsx')).UploadForm }));
const FileTasks = lazy(() => import('./file-log-tasks.tsx'));

const uploaded: Text = ['文件已上传', 'File uploaded'];

/** Files and their distribution to devices. */
const FileList = () => {
  const [isUploading, setUploading] = useState(false);
  const [tasksOf, setTasksOf] = useState<AnyRow>();
  const client = useQueryClient();
  const run: Run = { upload: () => setUploading(true), taskList: setTasksOf };
  const close = () => setUploading(false);
  const done = () => {
    close();
    notify.success(t(uploaded));
    void client.invalidateQueries();
  };
  return (
    <>
      <ResourcePage page={fileList} run={run} />
      {isUploading && (
        <Dialog open title={t(fileList.forms.upload.title)} width={600} onClose={close}>
          <Suspense>
            <UploadForm onDone={done} onCancel={close} />
          </Suspense>
        </Dialog>
      )}
      {tasksOf && (
        <Suspense>
          <FileTasks file={tasksOf} onClose={() => setTasksOf(undefined)} />
        </Suspense>
      )}
    </>
  );
};
export default FileList;
