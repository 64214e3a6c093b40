import { systemLog } from '@farlink/contract/log/operator-log.ts';
import { describe, expect, it } from 'vitest';
import { rangeRefusal } from './filter-rules.ts';

const field = systemLog.resource.fields.create_at;
const day = 86_400;
const refusal = (from: number | undefined, to: number | undefined) =>
  rangeRefusal('create_at', field, { ...(from && { create_at_start: String(from) }), ...(to && { create_at_end: String(to) }) });

describe('a range of time', () => {
  it('may be open at either end', () => {
    expect(refusal(undefined, undefined)).toBeUndefined();
    expect(refusal(1_760_000_000, undefined)).toBeUndefined();
    expect(refusal(undefined, 1_760_000_000)).toBeUndefined();
  });
  it('must start before it ends', () => {
    expect(refusal(1_760_000_000, 1_760_000_000 - day)?.[1]).toBe('Start time must be before end time');
  });
  it('may not exceed the months that the filter allows', () => {
    expect(refusal(1_760_000_000, 1_760_000_000 + 80 * day)).toBeUndefined();
    expect(refusal(1_760_000_000, 1_760_000_000 + 100 * day)?.[0]).toBe('查询时间跨度不能超过3个月');
  });
});
