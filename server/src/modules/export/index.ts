import { exportCalls as calls } from '@farlink/contract/export/export.ts';
import { bind } from '../../kit/http/serve.ts';
import { downloadExport } from './download-export.ts';
import { listExports } from './list-exports.ts';
import { removeExport } from './remove-export.ts';

export const exportBindings = [bind(calls.list, listExports), bind(calls.download, downloadExport), bind(calls.remove, removeExport)];
