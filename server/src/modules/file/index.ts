import { fileCalls } from '@farlink/contract/file/file.ts';
import { fileTaskCalls } from '@farlink/contract/file/file-task.ts';
import { bind } from '../../kit/serve.ts';
import { createFile } from './create-file.ts';
import { estimateSend } from './estimate.ts';
import { downloadFile, fileOptions, listFiles, removeFile, updateFile } from './file.ts';
import { sendFiles } from './send.ts';
import { listTaskDevices, listTasks } from './task.ts';
import { pauseTask, removeFromDevices, resumeTask, stopTask } from './task-deeds.ts';
import { beginUpload, takePart } from './upload-parts.ts';

export const fileBindings = [
  bind(fileCalls.list, listFiles),
  bind(fileCalls.create, createFile),
  bind(fileCalls.begin, beginUpload),
  bind(fileCalls.part, takePart),
  bind(fileCalls.update, updateFile),
  bind(fileCalls.remove, removeFile),
  bind(fileCalls.download, downloadFile),
  bind(fileCalls.option, fileOptions),
  bind(fileCalls.send, sendFiles),
  bind(fileCalls.estimate, estimateSend),
  bind(fileTaskCalls.list, listTasks),
  bind(fileTaskCalls.detail, listTaskDevices),
  bind(fileTaskCalls.stop, stopTask),
  bind(fileTaskCalls.pause, pauseTask),
  bind(fileTaskCalls.resume, resumeTask),
  bind(fileTaskCalls.remove, removeFromDevices),
];
