import type { Random } from '@farlink/contract/kit/random.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { forkOf } from './random.ts';

const models = ['FG-100', 'FG-200', 'FG-200', 'FG-300M', 'FG-500'] as const;
/** Firmware versions in use, the newest most often. Versions before 03.00.00 do not support a transfer. */
const versions = [
  '02.08.05',
  '02.11.00',
  '03.00.02',
  '03.00.02',
  '03.01.09',
  '03.01.09',
  '03.02.01',
  '03.02.01',
  '03.02.01',
  '03.02.01',
] as const;
const before: Readonly<Record<string, string>> = {
  '02.11.00': '02.08.05',
  '03.00.02': '02.11.00',
  '03.01.09': '03.00.02',
  '03.02.01': '03.01.09',
};

const dockerOf = (random: Random, model: string): GatewayOptions['docker'] =>
  model === 'FG-100' ? 0 : random.pick([1, 1, 1, 1, 2, 3, 4] as const);

/** Model and firmware, derived from the serial number and the seed. */
export const profileOf = (sn: string, seed: number) => {
  const random = forkOf(sn, 'profile', seed);
  const model = random.pick(models);
  const version = random.pick(versions);
  return {
    model,
    version,
    previous: before[version],
    docker: dockerOf(random, model),
    opt: random.pick([0, 1, 1, 1, 2] as const),
    bill: random.pick([1, 1, 1, 2, 3] as const),
  } satisfies Partial<GatewayOptions>;
};
