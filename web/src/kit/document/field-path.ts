import type { Text } from '@farlink/contract/kit/text.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { t } from '../chrome/lang.ts';

const line: Text = ['第{0}行', 'Line {0}'];

/** `rows[2].targets[0].host` with the labels of the page: `第3行 · 目标 第1行 · 主机`. */
export const fieldPathText = (page: GatewayPage, path: string): string => {
  let fields = page.fields;
  const labels = path.split('.').flatMap((step) => {
    const [, name = step, at] = /^(\w+)(?:\[(\d+)\])?$/.exec(step) ?? [];
    const where = at === undefined ? [] : [t(line, Number(at) + 1)];
    if (name === 'rows' && page.kind === 'list' && !('rows' in page.fields)) return where;
    const field = fields[name];
    if (field?.items) fields = field.items;
    return [[field ? t(field.label) : name, ...where].join(' ')];
  });
  return labels.filter(Boolean).join(' · ') || t(page.title);
};
