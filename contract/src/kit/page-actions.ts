import type { Endpoint } from './endpoint.ts';
import type { Action } from './page.ts';
import { fill, type Text } from './text.ts';

/** Deletes a row after a question that names its noun. */
export const removeAction = (call: Endpoint, noun: Text, more: Partial<Action> = {}) =>
  ({
    on: 'row',
    label: ['删除', 'Delete'],
    call,
    danger: true,
    confirm: fill(['确定要删除该{0}吗？', 'Are you sure you want to delete this {0}?'], noun),
    ...more,
  }) satisfies Action;

/** Sets `status` of a row; only the possible one of the two is shown. */
export const toggleActions = (call: Endpoint, noun: Text, disable: '停用' | '禁用') => {
  const shared = { on: 'row', call, hiddenWhenRefused: true } as const;
  return {
    enable: {
      ...shared,
      label: ['启用', 'Enable'],
      params: { status: 1 },
      confirm: fill(['确定启用该{0}吗？', 'Enable this {0}?'], noun),
      when: (row) => row.status === 0,
    },
    disable: {
      ...shared,
      label: [disable, 'Disable'],
      params: { status: 0 },
      confirm: fill([`确定${disable}该{0}吗？`, 'Disable this {0}?'], noun),
      when: (row) => row.status === 1,
    },
  } satisfies Record<string, Action>;
};

/** Starts an export of the list, and shows the exports so far. */
export const exportActions = (calls: { readonly export: Endpoint; readonly exports: Endpoint }) =>
  ({
    export: { on: 'toolbar', label: ['导出', 'Export'], call: calls.export },
    exportJobs: { on: 'toolbar', label: ['导出记录', 'Export jobs'], call: calls.exports },
  }) as const satisfies Record<string, Action>;
