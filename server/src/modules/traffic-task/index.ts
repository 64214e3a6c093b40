import { dpiTaskCalls } from '@farlink/contract/traffic/dpi-task.ts';
import { bindAll } from '../../kit/http/serve.ts';
import { createTasks, listTasks, reportTask, stopTasks } from './tasks.ts';

export const dpiTaskBindings = bindAll(dpiTaskCalls, { list: listTasks, create: createTasks, stop: stopTasks, report: reportTask });
