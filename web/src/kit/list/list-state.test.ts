import { vno } from '@farlink/contract/vno/vno.ts';
import { describe, expect, it } from 'vitest';
import { clampPage, limitFor, nextOrder, readListState, writeListState } from './list-state.ts';

const read = (query: string) => readListState(new URLSearchParams(query), vno);

describe('the state of a list in the URL', () => {
  it('starts with page 1 and ten rows', () => {
    expect(read('')).toEqual({ page: 1, limit: 10, orderby: undefined, filters: {} });
  });

  it('is the same after a reload', () => {
    const state = {
      page: 3,
      limit: 50,
      orderby: 'device_count desc',
      filters: { name: '东海', create_at_start: '1760000000', device_count: '3', cond_device_count: 'gt' },
    };
    expect(readListState(writeListState(state), vno)).toEqual(state);
  });

  it('omits the defaults', () => {
    expect(String(writeListState({ page: 1, limit: 10, orderby: undefined, filters: {} }))).toBe('');
  });

  it('ignores undeclared parameters and invalid values', () => {
    expect(read('page=0&limit=7&orderby=password+asc&shoe=9&name=')).toEqual({ page: 1, limit: 10, orderby: undefined, filters: {} });
  });

  it('sorts only by sortable columns', () => {
    expect(read('orderby=code+asc').orderby).toBeUndefined();
    expect(read('orderby=name+desc').orderby).toBe('name desc');
  });

  it('drops the operator of an empty number filter', () => {
    expect(String(writeListState({ page: 1, limit: 10, orderby: undefined, filters: { device_count: '', cond_device_count: 'gt' } }))).toBe(
      '',
    );
  });
});

describe('the page size of a screen', () => {
  it('fills at least three quarters of its height', () => {
    expect([600, 720, 900, 1080, 1440, 2160].map(limitFor)).toEqual([10, 10, 20, 20, 50, 50]);
  });
  it('is the default limit, which a limit in the URL overrides', () => {
    expect(readListState(new URLSearchParams(), vno, 20).limit).toBe(20);
    expect(readListState(new URLSearchParams('limit=10'), vno, 20).limit).toBe(10);
  });
  it('is in the URL of a later page, so that another screen shows the same rows', () => {
    const state = { page: 1, limit: 20, orderby: undefined, filters: {} };
    expect(String(writeListState(state, 20))).toBe('');
    expect(String(writeListState({ ...state, page: 2 }, 20))).toBe('page=2&limit=20');
    expect(String(writeListState({ ...state, limit: 10 }, 20))).toBe('limit=10');
  });
});

describe('the page after rows were removed', () => {
  it('does not exceed the last one', () => {
    expect(clampPage(3, 10, 20)).toBe(2);
    expect(clampPage(2, 10, 11)).toBe(2);
  });
  it('is the first when no rows remain', () => {
    expect(clampPage(4, 10, 0)).toBe(1);
  });
});

describe('a click on a header', () => {
  it('changes from ascending to descending to none', () => {
    expect(nextOrder('name', undefined)).toBe('name asc');
    expect(nextOrder('name', 'name asc')).toBe('name desc');
    expect(nextOrder('name', 'name desc')).toBeUndefined();
  });
  it('starts with ascending order on another column', () => {
    expect(nextOrder('name', 'code desc')).toBe('name asc');
  });
});
