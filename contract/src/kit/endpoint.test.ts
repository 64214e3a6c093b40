import { expect, it } from 'vitest';
import { calls } from './endpoint.ts';

it('gives each call the module and access of its resource and the method of its kind', () => {
  const { list, update } = calls('vno', ['vno_prefix'], {
    list: { kind: 'list', path: 'prefix', summary: ['查询', 'List'] },
    update: { kind: 'update', path: 'prefix/{id}', summary: ['修改', 'Change'] },
  });
  expect(list).toMatchObject({ method: 'GET', module: 'vno', access: ['vno_prefix'], path: 'prefix' });
  expect(update).toMatchObject({ method: 'PUT', module: 'vno', access: ['vno_prefix'] });
});

it('keeps the method, module and access that a call declares', () => {
  const { stop } = calls('vno', ['vno_prefix'], {
    stop: { kind: 'command', method: 'DELETE', path: 'stop', module: 'log', access: 'session', summary: ['停止', 'Stop'] },
  });
  expect(stop).toMatchObject({ method: 'DELETE', module: 'log', access: 'session' });
});
