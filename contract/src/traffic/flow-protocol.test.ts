import { expect, test } from 'vitest';
import { flowProtocol, protocolsLike } from './flow-protocol.ts';

test('a flow is named by its application, otherwise by its master protocol', () => {
  expect(flowProtocol('91.124').name[1]).toBe('YouTube');
  expect(flowProtocol('91.0')).toEqual(flowProtocol('91'));
  expect(flowProtocol('197').category?.[1]).toBe('Messaging');
});

test('an unknown application shows as its number', () => {
  expect(flowProtocol('91.65000')).toEqual({ name: ['91.65000', '91.65000'], category: undefined });
});

test('protocols are found by id or by a part of a name in either language', () => {
  expect(protocolsLike('youtu')).toContain('124');
  expect(protocolsLike('微信')).toContain('197');
  expect(protocolsLike('124')).toContain('124');
});
