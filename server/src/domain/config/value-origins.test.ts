import { factoryOf } from '@farlink/gateway/kit/document.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { expect, it } from 'vitest';
import { originsOf } from './value-origins.ts';

it('names the device, not the factory, for a value that a disabled template has left there', () => {
  const page = gatewayPages.get('network_dns');
  if (!page) throw new Error('no page');
  const factory = factoryOf(page);
  const inherited = { doc: factory, origins: {} };
  expect(originsOf(page, factory, inherited, []).min_ttl).toEqual({ from: 'factory', name: null });
  expect(originsOf(page, { ...factory, min_ttl: 61 }, inherited, [])).toMatchObject({
    min_ttl: { from: 'device', name: null },
    cache_size: { from: 'factory', name: null },
  });
  const template = { from: 'vno', name: 'T' } as const;
  expect(originsOf(page, factory, { doc: { ...factory, min_ttl: 61 }, origins: { min_ttl: template } }, []).min_ttl).toEqual(template);
});
