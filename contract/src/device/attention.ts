import { limits } from '../limits.ts';

/** Devices that an operator should look at. A device can have several of these. */
export const attention = [
  { id: 'drifted', label: ['配置已在网关上修改', 'Configuration drifted'], color: 'orange' },
  {
    id: 'failing',
    label: [`近${limits.failingHours}小时任务失败`, `Failed task in the last ${limits.failingHours} hours`],
    color: 'red',
  },
  {
    id: 'expiring',
    label: [`授权${limits.expiringDays}天内到期`, `Authorization expires within ${limits.expiringDays} days`],
    color: 'gold',
  },
  { id: 'unusual', label: ['用量异常', 'Unusual usage'], color: 'purple' },
] as const;

export type Attention = (typeof attention)[number]['id'];

export const isAttention = (value: unknown): value is Attention => attention.some(({ id }) => id === value);
