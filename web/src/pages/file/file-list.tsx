import { fileList } from '@farlink/contract/file/file.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../kit/lang.ts';
import { notify } from '../../kit/notify.tsx';
import { ResourcePage } from '../../kit/resource-page.tsx';
import type { Run } from '../../kit/use-page-actions.tsx';

const UploadForm = lazy(async () => ({ default: (await import('./upload-form.tsx')).UploadForm }));
const FileTasks = lazy(() => import('./file-log-tasks.tsx'));

const uploaded: Text = ['文件已上传', 'File uploaded'];

/** Files, and what is sent to devices of them. */
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
