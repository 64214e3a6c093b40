import { exportFormat } from '../export/export.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { choice, int, progress, text, time } from '../kit/field.ts';
import { resource } from '../kit/resource.ts';

/** Result of opening many accounts, by rule, from a file or as temporary cards. */
export const openingWay = [
  { id: 'open_batch', label: ['按规则开户', 'By rule'], color: 'blue' },
  { id: 'open_import', label: ['文件导入', 'File import'], color: 'purple' },
  { id: 'open_temp', label: ['临时卡', 'Temporary cards'], color: 'gold' },
] as const;
export type OpeningWay = (typeof openingWay)[number]['id'];

export const openingState = [
  { id: 'waiting', label: ['等待中', 'Waiting'], color: 'default' },
  { id: 'running', label: ['执行中', 'Running'], color: 'blue' },
  { id: 'done', label: ['已完成', 'Done'], color: 'green' },
  { id: 'failed', label: ['失败', 'Failed'], color: 'red' },
  { id: 'cancelled', label: ['已取消', 'Cancelled'], color: 'orange' },
] as const;

export interface OpeningFault {
  /** The row in the file, or the position in the sequence. */
  readonly row: number;
  readonly account: string;
  readonly message: string;
}

export interface OpeningResult {
  readonly id: number;
  readonly total: number;
  readonly success: number;
  readonly fail: number;
  /** The first errors; the report has all. */
  readonly errors: readonly OpeningFault[];
  /** Equal to `id` while it runs in the background. */
  readonly job_id: number | null;
}

export interface OpeningProgress extends OpeningResult {
  readonly way: OpeningWay;
  readonly state: (typeof openingState)[number]['id'];
  readonly progress: number;
  /** Reason why nothing was opened. */
  readonly message: string | null;
  /** A report of failed rows, or of the created cards, can be downloaded. */
  readonly report: boolean;
  /** One bill for all accounts; null if nothing was sold. */
  readonly bill_no: string | null;
  readonly create_at: number;
  readonly finish_at: number | null;
}

export const openings = resource({
  fields: {
    way: choice(['方式', 'Way'], openingWay),
    state: choice(['状态', 'State'], openingState),
    progress: progress(['进度', 'Progress']),
    total: int(['总数', 'Total']),
    success: int(['成功', 'Succeeded']),
    fail: int(['失败', 'Failed']),
    message: text(['失败原因', 'Reason'], { tooltip: true }),
    create_at: time(['提交时间', 'Submitted at'], { sort: true }),
    finish_at: time(['完成时间', 'Finished at']),
  },
  title: ['way', 'create_at'],
  columns: ['way', 'state', 'progress', 'total', 'success', 'fail', 'message', 'create_at', 'finish_at'],
  filters: ['way', 'state', 'create_at'],
  orderby: 'create_at desc',
});

const access = 'session';

/** Operators see only their own openings. */
export const openingCalls = calls('user', access, {
  list: { kind: 'list', path: 'user/opening', summary: ['我的批量开户', 'My batch openings'], resource: openings },
  read: {
    kind: 'detail',
    path: 'user/opening/{id}',
    summary: ['批量开户进度与结果', 'Progress and result of a batch opening'],
    shape: shape<OpeningProgress>(),
  },
  report: {
    kind: 'file',
    path: 'user/opening/report/{id}',
    summary: ['下载批量开户清单', 'Download the list of a batch opening'],
    input: { format: choice(['文件格式', 'File format'], exportFormat, { default: 'xlsx' }) },
    shape: shape<unknown>(),
  },
  cancel: { kind: 'command', method: 'DELETE', path: 'user/opening/{id}', summary: ['取消批量开户', 'Cancel an opening'] },
});
