import { fileCalls } from '@farlink/contract/file/file.ts';
import { fileTaskCalls } from '@farlink/contract/file/file-log.ts';
import { bind } from '../../kit/http/serve.ts';
import { createFile } from './create-file.ts';
import { estimateSend } from './estimate.ts';
import { downloadFile, fileOptions, listFiles, removeFile, updateFile } from './file.ts';
import { listTaskDevices, listTasks } from './file-log.ts';
import { pauseTask, removeFromDevices, resumeTask, stopTask } from './file-log-actions.ts';
import { sendFiles } from './send.ts';
import { beginUpload, takeChunk } from './upload-chunks.ts';

export const fileBindings = [
  bind(fileCalls.list, listFiles),
  bind(fileCalls.create, createFile),
  bind(fileCalls.begin, beginUpload),
  bind(fileCalls.part, takeChunk),
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
