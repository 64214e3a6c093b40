import { exchangeFormat } from '@farlink/contract/config/exchange.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';

export interface ChosenFile {
  readonly name: string;
  readonly content: Values;
  /** The pages in the file. */
  readonly pages: readonly string[];
  /** The file has encrypted secrets that need a password. */
  readonly isSealed: boolean;
  /** The device of the configuration. */
  readonly from: string;
}

/** Size limit of a request. */
const maxBytes = 900 * 1024;

/** Undefined: not a configuration file. */
export const readConfigFile = async (file: File): Promise<ChosenFile | undefined> => {
  if (file.size > maxBytes) return undefined;
  try {
    const content: unknown = JSON.parse(await file.text());
    if (!isRecord(content) || content.format !== exchangeFormat || !isRecord(content.sections)) return undefined;
    const device = isRecord(content.device) ? content.device : {};
    return {
      name: file.name,
      content,
      pages: Object.keys(content.sections),
      isSealed: isRecord(content.secrets),
      from: String(device.name ?? device.sn ?? ''),
    };
  } catch {
    return undefined;
  }
};
