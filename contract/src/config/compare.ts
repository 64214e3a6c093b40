import { calls, shape } from '../kit/endpoint.ts';
import { option } from '../kit/field.ts';
import { configAccess, type DifferenceView } from './config.ts';

/** The desired configuration of two devices, compared page by page. Secrets show only whether they differ. */
export interface Comparison {
  readonly left: { readonly id: number; readonly name: string; readonly sn: string };
  readonly right: Comparison['left'];
  readonly pages: readonly {
    readonly page: string;
    readonly zh: string;
    readonly en: string;
    readonly differences: readonly DifferenceView[];
  }[];
  /** Number of identical pages. */
  readonly same: number;
  /** Number of pages that are not compared, because a gateway has not reported them. */
  readonly unread: number;
}

export const compareFields = {
  other_id: option(['对比设备', 'Compare with'], 'device/option', { required: true }),
};

export const compareCalls = calls('device', configAccess, {
  compare: {
    kind: 'tree',
    path: 'device/config/compare',
    summary: ['对比两台设备的配置', 'Compare the configuration of two devices'],
    input: { device_id: option(['设备', 'Device'], 'device/option', { required: true }), ...compareFields },
    shape: shape<Comparison>(),
  },
});
