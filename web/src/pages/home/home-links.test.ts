import { device } from '@farlink/contract/device/device-resource.ts';
import { expect, test } from 'vitest';
import { homeLinks, runningLinks } from './home-links.ts';

const filtersOf = (link: string) => [...new URL(link, 'http://console').searchParams.keys()];

test('a figure links to its page with the filter of the figure', () => {
  expect(homeLinks.deviceState('l_band')).toBe('/device/list?network=l_band&online_state=1');
  expect(homeLinks.income({ start_at: 1, end_at: 2 })).toBe('/finance/counter?create_at_start=1&create_at_end=2');
  expect(homeLinks.device(7)).toBe('/device/detail/7');
  expect(runningLinks.file).toBe('/file/log?state=running');
});

test('links to the device list use only filters that it has', () => {
  const links = [homeLinks.attention('drifted'), homeLinks.deviceState('offline'), homeLinks.devices({ auth_status: 'test' })];
  for (const filter of links.flatMap(filtersOf)) expect(device.filters).toContain(filter);
});
