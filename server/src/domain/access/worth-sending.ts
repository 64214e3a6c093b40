import type { AccountEntry, Phase } from '@farlink/gateway/protocol/account.ts';
import { canonical } from '@farlink/gateway/protocol/canonical.ts';
import { document, parseJson } from '@farlink/gateway/protocol/shape.ts';

/** Smaller differences of a limit are not sent alone, because each report of another gateway of the account changes it. */
const minBytes = 16 * 1024 ** 2;
const minSeconds = 300;
const share = 20;

const withoutLimits = (entry: AccountEntry): string => {
  const comparable = { ...entry, ph: entry.ph.map(({ b, s, ...rest }) => ({ ...rest, b: b !== undefined, s: s !== undefined })) };
  const parsed = parseJson(document, JSON.stringify(comparable));
  return 'value' in parsed ? canonical(parsed.value) : '';
};

const differs = (was: number | undefined, is: number | undefined, minimum: number) =>
  was !== undefined && is !== undefined && Math.abs(is - was) > Math.max(minimum, Math.min(was, is) / share);

const limitDiffers = (was: Phase | undefined, is: Phase) => differs(was?.b, is.b, minBytes) || differs(was?.s, is.s, minSeconds);

/** Whether a gateway needs the new entry. Limits that changed a little are sent with the next other change. */
export const isWorthSending = (was: AccountEntry, is: AccountEntry): boolean =>
  withoutLimits(was) !== withoutLimits(is) || is.ph.some((phase, i) => limitDiffers(was.ph[i], phase));
