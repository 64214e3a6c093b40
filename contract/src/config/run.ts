import type { WaitReason } from '../device/shadow.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { choice, document, duration, int, progress, text, time } from '../kit/field.ts';
import { resource } from '../kit/resource.ts';
import type { Values } from '../kit/values.ts';
import { type CommandState, commandState } from '../protocol/command.ts';
import { configAccess } from './config.ts';
import { device_id, pageOfGateway } from './page-field.ts';

/** A run of an action page. Its output is streamed by line, and its result is stored. */
export interface RunView {
  readonly id: number;
  readonly device_id: number;
  readonly page: string;
  readonly state: CommandState;
  readonly waits: WaitReason | null;
  readonly progress: number;
  /** Lines from `after` on, without gaps; `next` is the number of the next line. */
  readonly lines: readonly string[];
  readonly next: number;
  readonly result: Values | null;
  readonly err: string | null;
  /** The file that the gateway uploaded; null: none, or expired. */
  readonly file: { readonly name: string; readonly size: number } | null;
  /** The arguments, without secrets. */
  readonly args: Values;
  readonly operator: string | null;
  readonly create_at: number;
  readonly start_at: number | null;
  readonly finish_at: number | null;
  readonly now: number;
  /** Whether it can be stopped: it has not started, or the gateway supports a stop. */
  readonly stoppable: boolean;
}

export const configRun = resource({
  fields: {
    create_at: time(['执行时间', 'Started at'], { sort: true, width: 170 }),
    state: choice(['状态', 'State'], commandState.options, { width: 120 }),
    progress: progress(['进度', 'Progress'], { width: 120 }),
    subject: text(['参数', 'Asked for'], { tooltip: true, width: 260 }),
    err: text(['失败原因', 'Reason'], { tooltip: true, width: 220 }),
    operator: text(['操作人', 'Operator'], { width: 120 }),
    took: duration(['用时', 'Took'], { width: 100 }),
  },
  title: ['create_at', 'operator'],
  columns: ['create_at', 'state', 'progress', 'subject', 'err', 'operator', 'took'],
  filters: ['state'],
  orderby: 'create_at desc',
});

export const runCalls = calls('device', configAccess, {
  run: {
    kind: 'command',
    path: 'device/config/run',
    summary: ['执行网关操作', 'Run an action page of a gateway'],
    input: { device_id, page: pageOfGateway, args: document(['参数', 'Arguments'], { required: true }) },
    shape: shape<{ readonly id: number }>(),
  },
  read: {
    kind: 'detail',
    path: 'device/config/run/{id}',
    summary: ['查看网关操作输出', 'Read the output of a run'],
    input: { after: int(['起始行', 'From line']) },
    shape: shape<RunView>(),
  },
  stop: { kind: 'command', path: 'device/config/run/{id}/stop', summary: ['中止网关操作', 'Stop a run'] },
  /** `section` is the page key, because `page` is the page number of the list. */
  runs: {
    kind: 'list',
    path: 'device/config/runs',
    summary: ['网关操作记录', 'Runs of an action page'],
    input: { device_id, section: pageOfGateway },
    resource: configRun,
  },
  file: { kind: 'file', path: 'device/config/run/{id}/file', summary: ['下载网关操作结果文件', 'Download the file of a run'] },
});
