import type { Option } from '../kit/field.ts';
import type { TrafficKindId } from './kinds.ts';

export const dataType = [
  { id: 'flow_usr', label: ['业务流量', 'Business traffic'], color: 'blue' },
  { id: 'flow_mgt', label: ['管理流量', 'Management traffic'], color: 'cyan' },
  { id: 'dpi_usr', label: ['业务DPI', 'Business DPI'], color: 'purple' },
  { id: 'dpi_mgt', label: ['管理DPI', 'Management DPI'], color: 'geekblue' },
] as const satisfies readonly (Option & { readonly id: TrafficKindId })[];

export const statBy = [
  { id: 'hour', label: ['按小时', 'Hourly'] },
  { id: 'day', label: ['按天', 'Daily'] },
  { id: 'month', label: ['按月', 'Monthly'] },
] as const;
export type StatBy = (typeof statBy)[number]['id'];
