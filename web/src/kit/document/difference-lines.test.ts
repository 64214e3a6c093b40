import { keptSecret } from '@farlink/contract/config/config.ts';
import { differences } from '@farlink/gateway/kit/difference.ts';
import { dockerContainer } from '@farlink/gateway/pages/docker/container.ts';
import { fenceArea } from '@farlink/gateway/pages/fence/area.ts';
import { networkCellular } from '@farlink/gateway/pages/network/cellular.ts';
import { networkWan } from '@farlink/gateway/pages/network/wan.ts';
import { expect, test, vi } from 'vitest';

vi.stubGlobal('localStorage', { getItem: () => 'en' });
const { differenceLines, rowSummary } = await import('./difference-lines.ts');
const { valueText } = await import('./value-text.ts');

test('a changed field is shown with its label, in a list after the key of its row', () => {
  const [mtu] = differenceLines(networkCellular, differences(networkCellular, { mtu: 1428 }, { mtu: 1400 }));
  expect(mtu).toMatchObject({ label: 'MTU', before: 1428, after: 1400 });
  const rows = (mtu: number) => ({ rows: [{ name: 'wan1', mtu }] });
  expect(differenceLines(networkWan, differences(networkWan, rows(1500), rows(1400)))[0]?.label).toBe('wan1 · MTU');
});

test('an added row is one line, without its secrets', () => {
  const row = { name: 'wan1', proto: 'pppoe', pppoe_username: 'ship', pppoe_password: keptSecret, mtu: 1492 };
  const [added] = differenceLines(networkWan, differences(networkWan, { rows: [] }, { rows: [row] }));
  expect(added).toMatchObject({ what: 'added', label: 'wan1', field: undefined });
  expect(rowSummary(networkWan, row, {})).toBe('Address mode PPPoE · PPPoE username ship · PPPoE password Set · MTU 1,492 B');
});

test('lines of several fields are shown without their secrets', () => {
  const env = dockerContainer.fields.env;
  const lines = [
    { key: 'TZ', is_secret: false, value: 'UTC' },
    { key: 'TOKEN', is_secret: true, secret_value: 'x' },
  ];
  expect(env && valueText(env, lines, {})).toBe('TZ / UTC, TOKEN / Secret');
});

test('values are shown as text: choices, links, days, areas, secrets', () => {
  const text = (name: string, value: unknown) => {
    const field = fenceArea.fields[name] ?? networkCellular.fields[name];
    return field && valueText(field, value, { fence_policy: [{ key: 'p1', name: 'Silence' }] });
  };
  expect(text('on_enter', 'p1')).toBe('Silence (p1)');
  expect(
    text('polygon', [
      [0, 0],
      [1, 0],
      [1, 1],
    ]),
  ).toBe('3 points');
  expect(text('enabled', false)).toBe('Off');
  expect(text('enter_dwell', 60)).toBe('60 s');
  expect(text('password', keptSecret)).toBe('Set');
  expect(text('remark', '')).toBe('-');
});
