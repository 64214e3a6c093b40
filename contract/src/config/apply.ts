import type { WaitReason } from '../device/shadow.ts';
import { choice, int, tags, text, time } from '../kit/field.ts';
import { resource } from '../kit/resource.ts';
import { type ApplyState, applyState } from '../protocol/apply.ts';

export const applySource = [
  { id: 'edit', label: ['页面修改', 'Edited'] },
  { id: 'rollback', label: ['恢复历史版本', 'Rolled back'] },
  { id: 'adopt', label: ['采用网关版本', 'Taken from the gateway'] },
  { id: 'overwrite', label: ['覆盖网关版本', 'Written over the gateway'] },
  { id: 'wizard', label: ['配置向导', 'Setup guide'] },
  { id: 'template', label: ['模板下发', 'Template'] },
  { id: 'bulk', label: ['批量修改', 'Bulk edit'] },
  { id: 'import', label: ['导入', 'Imported'] },
] as const;
export type ApplySource = (typeof applySource)[number]['id'];

export interface ApplyView {
  readonly id: number;
  readonly state: ApplyState;
  readonly waits: WaitReason | null;
  readonly err: string | null;
  readonly keep: number;
  readonly pages: readonly string[];
  readonly operator: string | null;
  readonly note: string | null;
  readonly create_at: number;
  readonly sent_at: number | null;
  readonly trial_at: number | null;
  /** Remaining seconds of the rollback timer, by the clock of the console. */
  readonly left: number | null;
  readonly finish_at: number | null;
}

const applyFields = {
  create_at: time(['下发时间', 'Applied at'], { sort: true }),
  source: choice(['来源', 'Source'], applySource, { width: 130 }),
  state: choice(['状态', 'State'], applyState.options, { width: 150 }),
  pages: tags(['页面', 'Pages'], { width: 260 }),
  err: text(['原因', 'Reason'], { tooltip: true, width: 240 }),
  operator: text(['操作人', 'Operator'], { width: 120 }),
  note: text(['说明', 'Note'], { tooltip: true, width: 200 }),
  finish_at: time(['完成时间', 'Finished at']),
};
export const configApply = resource({
  fields: applyFields,
  title: ['create_at', 'source'],
  columns: ['create_at', 'source', 'state', 'pages', 'err', 'operator', 'note', 'finish_at'],
  filters: ['state', 'source'],
  orderby: 'create_at desc',
});

export const configRevision = resource({
  fields: {
    rev: int(['版本', 'Revision'], { sort: true, width: 90 }),
    source: applyFields.source,
    operator: applyFields.operator,
    note: applyFields.note,
    create_at: time(['时间', 'Time'], { sort: true }),
  },
  title: ['rev', 'operator'],
  columns: ['rev', 'source', 'operator', 'note', 'create_at'],
  filters: [],
  orderby: 'rev desc',
});
