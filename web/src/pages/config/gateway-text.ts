import type { Field, Fields } from '@farlink/contract/kit/field.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { t } from '../../kit/chrome/lang.ts';

const fieldAt = (page: GatewayPage, path: string): Field | undefined => {
  const names = path.replace(/\[\d+\]/g, '').split('.');
  let [fields, found]: [Fields, Field | undefined] = [page.fields, undefined];
  for (const name of page.kind === 'list' && names[0] === 'rows' ? names.slice(1) : names) {
    found = fields[name];
    fields = found?.items ?? {};
  }
  return found;
};

/** A gateway replies in English. If the text is that of a known rule, it is translated. */
export const gatewayText = (page: GatewayPage, path: string, text: string): string => {
  const known = (fieldAt(page, path)?.rules ?? [])
    .map((rule) => rule.text)
    .find((labels) => typeof labels !== 'function' && labels[1] === text);
  return known && typeof known !== 'function' ? t(known) : text;
};
