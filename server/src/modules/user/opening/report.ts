import { type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { importFields } from '@farlink/contract/user/import-user.ts';
import { batchOutcome } from '@farlink/contract/user/user-batch.ts';
import { tempCard } from '@farlink/contract/user/user-temp.ts';
import { headText, localTime } from '../../../kit/formats/cell.ts';
import { reasonLabel } from '../../../kit/formats/import-sheet.ts';
import { importColumns } from './sheet-rows.ts';
import type { Outcome, Terms } from './terms.ts';

/** Download after an opening: the new cards, or the failed rows with reasons. */
interface FaultLine {
  readonly account: string;
  readonly message: Text;
  readonly cells?: readonly string[];
}

export type Report =
  | { readonly cards: readonly (readonly [account: string, password: string, expireAt: number])[]; readonly package_name: string }
  | { readonly faults: readonly FaultLine[] };

export const reportOf = (outcome: Outcome, { way }: Terms): Report | null => {
  if (way === 'open_temp')
    return {
      cards: outcome.opened.map(({ account, password, expire_at }) => [account, password, expire_at] as const),
      package_name: outcome.package_name ?? '',
    };
  if (outcome.faults.length === 0) return null;
  return { faults: outcome.faults.map(({ account, message, cells }) => ({ account, message, ...(cells && { cells }) })) };
};

/** List as a table. For an import it has the columns of the template, so it can be corrected and imported again. */
export const tableOf = (report: Report, lang: Lang, offsetMinutes: number): { header: string[]; rows: string[][] } => {
  if ('cards' in report) {
    const { account, password, package_name, expire_at } = tempCard.fields;
    return {
      header: [account, password, package_name, expire_at].map((field) => headText(field, lang)),
      rows: report.cards.map(([name, secret, expireAt]) => [name, secret, report.package_name, localTime(expireAt, offsetMinutes)]),
    };
  }
  const ofFile = report.faults.some((fault) => fault.cells);
  const labels = ofFile ? importColumns.map((name) => importFields[name].label) : [batchOutcome.fields.account.label];
  return {
    header: [...labels, reasonLabel].map((label) => say(label, lang)),
    rows: report.faults.map(({ account, message, cells }) => [...(cells ?? [account]), say(message, lang)]),
  };
};
