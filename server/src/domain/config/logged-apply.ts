import type { Text } from '@farlink/contract/kit/text.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { LogEntry } from '../../kit/ctx.ts';
import { loggedChangeOfMany } from './differences.ts';
import { calledOf, subjectOf, type Target } from './target.ts';

/** Document of a page before and after an apply. */
export interface PageChange {
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Operator-log entry of an apply: the values before and after per page, without secrets. */
export const loggedApply = async (
  device: Pick<Target, 'id' | 'name' | 'sn'>,
  actionText: Text,
  changes: ReadonlyMap<string, PageChange>,
  note?: string | null,
): Promise<LogEntry> => {
  const pages = [...changes.keys()].flatMap((section) => gatewayPages.get(section) ?? []);
  const [was, now]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const page of pages) {
    const { before, after } = changes.get(page.key) ?? { before: {}, after: {} };
    const logged = await loggedChangeOfMany(page, before, after);
    was[page.key] = logged.before;
    now[page.key] = logged.after;
  }
  const name = calledOf(device);
  const titles = (lang: 0 | 1) => pages.map(({ title }) => title[lang]).join(lang === 0 ? '、' : ', ');
  return {
    content: [`${actionText[0]}：设备 ${name} 的网关配置“${titles(0)}”`, `${actionText[1]}: ${titles(1)} of device ${name}`],
    before: was,
    after: { ...now, ...(note && { note }) },
    subject: subjectOf(device),
  };
};
