import type { UploadRule } from '@farlink/contract/kit/rule.ts';
import { lengthOf } from '@farlink/contract/kit/text.ts';

const suffixOf = (name: string) => {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
};

/** Checks type, size and name before the upload. The server checks the content again. */
export const uploadFits = (file: Pick<File, 'name' | 'size'>, rule: UploadRule): boolean =>
  (rule.accept.length === 0 || rule.accept.includes(suffixOf(file.name))) &&
  file.size <= rule.maxBytes &&
  lengthOf(file.name) <= (rule.maxName ?? Number.POSITIVE_INFINITY);
