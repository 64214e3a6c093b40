import { describe, expect, it } from 'vitest';
import { dateText, moneyText, numberText, relativeText, timeText, valueAt } from './format.ts';

describe('time', () => {
  it('reads ten digits as seconds and thirteen as milliseconds', () => {
    expect(timeText(1_760_000_000)).toBe(timeText(1_760_000_000_000));
    expect(timeText(1_760_000_000)).toBe('2025-10-09 16:53:20');
    expect(dateText(Date.UTC(2026, 10, 30, 16, 30) / 1000)).toBe('2026-12-01');
  });
  it('is a dash if it is missing', () => {
    expect([timeText(0), timeText(null), timeText(''), timeText('soon')]).toEqual(['-', '-', '-', '-']);
  });
  it('is shown relative to now in both languages', () => {
    const now = 1_760_000_000_000;
    expect(relativeText(1_760_000_000 - 7200, 'en', now)).toBe('2 hours ago');
    expect(relativeText(1_760_000_000 - 7200, 'zh', now)).toBe('2小时前');
  });
});

describe('money', () => {
  it('always has two decimals and grouped thousands', () => {
    expect(['1234567.5', '0.1', 12, '-3.25'].map(moneyText)).toEqual(['1,234,567.50', '0.10', '12.00', '-3.25']);
  });
  it('is not rounded by floating point', () => {
    expect(moneyText('90071992547409931.07')).toBe('90,071,992,547,409,931.07');
  });
  it('is a dash if it is missing', () => {
    expect([moneyText(null), moneyText(undefined), moneyText('')]).toEqual(['-', '-', '-']);
  });
});

describe('a number', () => {
  it('has grouped thousands', () => {
    expect([numberText(10_000), numberText(999), numberText(0), numberText(null)]).toEqual(['10,000', '999', '0', '-']);
  });
});

describe('a property of a row', () => {
  it('may be a dotted path', () => {
    expect(valueAt({ agent: { name: 'x' } }, 'agent.name')).toBe('x');
    expect(valueAt({ 'agent.name': 'flat' }, 'agent.name')).toBe('flat');
    expect(valueAt({ agent: null }, 'agent.name')).toBeUndefined();
  });
});
