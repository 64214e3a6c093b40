import { endpoint } from '@farlink/contract/kit/endpoint.ts';
import { describe, expect, it } from 'vitest';
import { batchOf, completedIds, knownOf } from './batch.ts';

const kick = endpoint({ method: 'POST', path: 'user/kick', kind: 'command', module: 'user', access: 'session', summary: ['下线', 'Kick'] });
const remove = { ...kick, kind: 'delete' } as const;
const rows = [{ id: 1, version: 4 }, { id: 2 }];
const result = {
  success: 1,
  fail: 1,
  list: [
    { id: 1, success: true, message: '' },
    { id: 2, success: false, message: 'offline' },
  ],
};

describe('a call on several rows', () => {
  it('sends their ids, and for one row its id and version as well', () => {
    const action = { on: 'both', label: ['下线', 'Kick'], params: { operate: 'now', user_id: ':id' } } as const;
    expect(knownOf(action, rows)).toEqual({ ids: [1, 2], operate: 'now', user_id: 1 });
    expect(knownOf(action, rows.slice(0, 1))).toEqual({ id: 1, version: 4, ids: [1], operate: 'now', user_id: 1 });
    expect(knownOf(action, []).ids).toBeUndefined();
    expect(knownOf({ ...action, params: { file_ids: ':ids' } }, rows).file_ids).toEqual([1, 2]);
  });

  it('is recognised by its response', () => {
    expect(batchOf(result)).toEqual(result);
    expect(batchOf({ id: 5 })).toBeUndefined();
    expect(batchOf({ total: 3, list: [] })).toBeUndefined();
    expect(batchOf(undefined)).toBeUndefined();
  });

  it('completes the rows that succeeded, or all rows of a delete call', () => {
    expect(completedIds(kick, rows, result)).toEqual([1]);
    expect(completedIds(kick, [{ id: 1, list_ids: [7, 8] }], result)).toEqual([7, 8]);
    expect(completedIds(remove, rows, null)).toEqual([1, 2]);
    expect(completedIds(kick, rows, null)).toEqual([]);
  });
});
