import { fileCalls } from '@farlink/contract/file/file.ts';
import { fileTaskCalls } from '@farlink/contract/file/file-log.ts';
import { bindAll } from '../../kit/http/serve.ts';
import { createFile } from './create-file.ts';
import { estimateSend } from './estimate.ts';
import { downloadFile, fileOptions, listFiles, removeFile, updateFile } from './file.ts';
import { listTaskDevices, listTasks } from './file-log.ts';
import { pauseTask, removeFromDevices, resumeTask, stopTask } from './file-log-actions.ts';
import { sendFiles } from './send.ts';
import { beginUpload, takeChunk } from './upload-chunks.ts';

export const fileBindings = [
  ...bindAll(fileCalls, {
    list: listFiles,
    create: createFile,
    begin: beginUpload,
    uploadChunk: takeChunk,
    update: updateFile,
    remove: removeFile,
    download: downloadFile,
    option: fileOptions,
    send: sendFiles,
    estimate: estimateSend,
  }),
  ...bindAll(fileTaskCalls, {
    list: listTasks,
    detail: listTaskDevices,
    stop: stopTask,
    pause: pauseTask,
    resume: resumeTask,
    remove: removeFromDevices,
  }),
];
