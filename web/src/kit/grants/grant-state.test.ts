import type { PermissionNode } from '@farlink/contract/permission/role.ts';
import { describe, expect, it } from 'vitest';
import { flagsOf, groupMark, itemMark, readAll, setNode, writeAll } from './grant-state.ts';

const node = (key: string, children: PermissionNode[] = []): PermissionNode => ({
  key,
  zh: key,
  en: key,
  method_path: null,
  value: '00',
  most: key.startsWith('get_') ? '10' : '11',
  children,
});
const shared = node('get_role');
const roles = node('role_manage', [shared, node('post_role')]);
const jobs = node('job_role', [node('get_role'), node('put_role')]);
const group = node('permissionManage', [roles, jobs]);
const tree = [group];

describe('the permission editor', () => {
  it('sets everything below a group', () => {
    const grants = setNode(tree, group, '11', {});
    expect(grants).toEqual({ role_manage: '11', get_role: '10', post_role: '11', job_role: '11', put_role: '11' });
    expect(groupMark(group, grants)).toBe('11');
  });
  it('makes a page visible when one of its calls becomes visible', () => {
    const [, post] = roles.children;
    if (!post) throw new Error('no call');
    const grants = setNode(tree, post, '11', {});
    expect(grants).toEqual({ post_role: '11', role_manage: '11' });
    expect(itemMark(roles, grants)).toBe('mixed');
    expect(itemMark(jobs, grants)).toBe('00');
  });
  it('keeps a call that another visible page shares', () => {
    const all = setNode(tree, group, '11', {});
    const grants = setNode(tree, jobs, '00', all);
    expect(grants).toMatchObject({ job_role: '00', put_role: '00', get_role: '10' });
    expect(itemMark(roles, grants)).toBe('11');
    expect(itemMark(jobs, grants)).toBe('00');
  });
  it('limits grants to those of the session and then counts them as complete', () => {
    const viewed: PermissionNode = { ...node('log', [node('get_log'), { ...node('post_log'), most: '10' }]), most: '10' };
    const logs = [node('logManage', [viewed])];
    const grants = writeAll(logs, {}, true);
    expect(grants).toEqual({ log: '10', get_log: '10', post_log: '10' });
    expect(flagsOf([{ tree: logs, grants }])).toEqual({ read_all: true, write_all: true });
  });
  it('shows a read call that is stored as operable as show only', () => {
    const grants = { role_manage: '11', get_role: '11', post_role: '11' } as const;
    expect(itemMark(roles, grants)).toBe('11');
    expect(itemMark(shared, grants)).toBe('10');
  });
  it('raises everything to show only with read-all and hides everything without it', () => {
    const grants = readAll(tree, { post_role: '11' }, true);
    expect(grants).toMatchObject({ role_manage: '10', get_role: '10', post_role: '11' });
    expect(Object.values(readAll(tree, grants, false)).every((g) => g === '00')).toBe(true);
  });
  it('derives the two switches from the items', () => {
    const written = writeAll(tree, {}, true);
    expect(flagsOf([{ tree, grants: written }])).toEqual({ read_all: true, write_all: true });
    expect(flagsOf([{ tree, grants: writeAll(tree, written, false) }])).toEqual({ read_all: true, write_all: false });
    expect(flagsOf([{ tree, grants: { ...written, put_role: '00' } }])).toEqual({ read_all: false, write_all: false });
  });
});
