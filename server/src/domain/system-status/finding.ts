import type { StatusFinding, StatusLevel, StatusSection } from '@farlink/contract/advanced/system-status.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { durationText as secondsText, spanText } from '@farlink/contract/kit/units.ts';

/** A duration for a sentence: seconds below two minutes, else its two largest units. */
export const durationText = (seconds: number): Text => (seconds < 120 ? secondsText(seconds) : spanText(seconds));

/** A finding if there is a level. */
export const finding = (name: string, level: StatusFinding['level'] | undefined, reason: Text, todo: Text): StatusFinding[] =>
  level === undefined ? [] : [{ name, level, reason, todo }];

export const worstLevel = (levels: readonly StatusLevel[]): StatusLevel =>
  levels.includes('critical') ? 'critical' : levels.includes('warning') ? 'warning' : 'ok';

export const statusPart = <F>(figures: F, findings: readonly StatusFinding[]): StatusSection<F> => ({
  level: worstLevel(findings.map(({ level }) => level)),
  findings,
  figures,
});
